import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ANSWER_ROUTE, isPublicRoute, paramsOfPage, routeOfPage } from '#src/site/pages/public-routes.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const BEYOND_PAGES = ['/api/forms/[form]/submissions']

function routesOfFiles(): string[] {
  const files = globSync('**/*.{astro,ts}', { cwd: join(PROJECT_DIR, 'src/pages'), exclude: ['admin/**'] })
  return files.map((file) => `/${file.replace(/\.(astro|ts)$/, '').replace(/(^|\/)index$/, '')}`)
}

const PAGES = {
  '/': ['/', {}],
  '/404': ['/404', {}],
  '/services': ['/services', {}],
  '/services/in/texas': ['/services/in/[place]', { place: 'texas' }],
  '/services/from/austin': ['/services/from/[place]', { place: 'austin' }],
  '/services/ac-repair': ['/services/[service]', { service: 'ac-repair' }],
  '/services/ac-repair/austin': [
    '/services/[service]/[location]',
    { service: 'ac-repair', location: 'austin' },
  ],
  '/services/in': ['/services/[service]', { service: 'in' }],
  '/services/a/b/c': ['/[...path]', { path: 'services/a/b/c' }],
  '/forms/quote': ['/forms/[form]', { form: 'quote' }],
  '/forms/quote/thanks': ['/forms/[form]/thanks', { form: 'quote' }],
  '/taxonomy/trades': ['/taxonomy/[taxonomy]', { taxonomy: 'trades' }],
  '/taxonomy/trades/heating': ['/taxonomy/[taxonomy]/[term]', { taxonomy: 'trades', term: 'heating' }],
  '/about': ['/[...path]', { path: 'about' }],
  '/projects/new-roof': ['/[...path]', { path: 'projects/new-roof' }],
} as const

test('each file of src/pages outside the admin is a public or form route', () => {
  const unknown = routesOfFiles().filter((route) => !isPublicRoute(route))
  assert.deepEqual(unknown, BEYOND_PAGES)
})

test('each public route is a file of src/pages', () => {
  const files = new Set(routesOfFiles())
  const routes = [...Object.keys(PAGES).map(routeOfPage), '/410', '/500', ANSWER_ROUTE]
  assert.deepEqual(
    routes.filter((route) => !files.has(route)),
    [],
  )
})

test('an address resolves to Astro’s route and params', () => {
  for (const [path, [route, params]] of Object.entries(PAGES)) {
    assert.equal(routeOfPage(path), route, path)
    assert.deepEqual(paramsOfPage(path), params, path)
  }
})
