import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PAGES, readProject as read } from '#tests/support/documentation.ts'
import { PROJECT_DIR } from '#tests/support/running-site.ts'

const LONGEST_README_LINES = 150
/** Files that a site may add, and this repository has not. */
const OF_A_SITE = new Set(['src/content.config.ts', 'src/hooks.ts', 'src/styles/site.css'])

test('every link in the documentation resolves to a file and heading', () => {
  const links = PAGES.flatMap((page) => linksOf(page).map((link) => ({ page, link })))
  assert.ok(links.length > 60, `only ${links.length} links`)
  assert.deepEqual(
    links.filter(({ page, link }) => !isFound(page, link)),
    [],
  )
})

test('every file of the source that the documentation names exists', () => {
  const missing = PAGES.flatMap((page) =>
    [...read(page).matchAll(/(?<![\w/])#?((?:src|scripts|tests|migrations|docs)\/[\w./-]+\.\w+)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !OF_A_SITE.has(path) && !existsSync(join(PROJECT_DIR, path)))
      .map((path) => `${page}: ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('the README is short and links to every page', () => {
  const readme = read('README.md')
  assert.ok(readme.split('\n').length <= LONGEST_README_LINES)
  assert.deepEqual(
    PAGES.filter((page) => page !== 'README.md' && !readme.includes(`(${page})`)),
    [],
  )
})

// Code may hold examples; links to other websites are not followed.
function linksOf(page: string): string[] {
  const text = read(page).replace(/```.*?```|`[^`]*`/gs, '')
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
}

function isFound(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(PROJECT_DIR, target))) return false
  return heading === undefined || headingsOf(target).includes(heading)
}

function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
