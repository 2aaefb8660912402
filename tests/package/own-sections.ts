import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { startSession } from '#src/auth/sessions.ts'
import { connectDatabase } from '#src/db/connect.ts'
import { ownEnvironment } from '../support/own-environment.ts'
import { quickHash } from '../support/quick-hash.ts'
import { buildOwnSite, CLOSED, changedPages } from './own-pages.ts'

/** A section with a field of each kind of input, placed on the pages of the starter. */
export const OWN_SECTIONS: Readonly<Record<string, string>> = {
  'src/components/sections/Guarantee.ts': `import { defineSection, z } from 'signpost/sections'

export default defineSection({
  label: 'Our guarantee',
  fields: {
    heading: z.string().max(40).meta({ title: 'Guarantee heading' }),
    years: z.number().int().min(1).optional(),
    promises: z.array(z.object({ title: z.string() })).default([]),
  },
})
`,
  'src/components/sections/Guarantee.astro': `---
import type { SectionProps } from 'signpost/sections'
import type section from './Guarantee.ts'

type Props = SectionProps<typeof section>

const { heading, years, promises, view } = Astro.props
---

<section class="section guarantee">
  <h2>{heading}: {years ?? 1} years by {view.layout.siteName}</h2>
  {promises.map(({ title }) => <p>{title}</p>)}
</section>
`,
}

const PLACED = `sections:
  home: [service_list, guarantee, faq]
  service: [guarantee, faq]
  location_service: [guarantee, nearby]
`

const QUESTIONS = 'faq:\n  - question: Are you insured?\n    answer: Yes.\n'

/**
 * Adds the section to the content of a starter: on three kinds of pages, with values of the home page and of a service. The
 * home page and the other service get questions.
 */
export function placeOwnSections(site: string) {
  const settings = join(site, 'content/site.yaml')
  const text = readFileSync(settings, 'utf8').replace(
    /^home:$/m,
    `home:\n  guarantee_heading: For all we do\n${QUESTIONS.replace(/^/gm, '  ').trimEnd()}`,
  )
  writeFileSync(settings, `${text}${PLACED}`)
  const values = 'guarantee_years: 10\nguarantee_promises:\n  - title: No mess\n'
  for (const [service, added] of [
    ['drain-cleaning', values],
    ['water-heaters', QUESTIONS],
  ] as const) {
    const file = join(site, `content/services/${service}.md`)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^---\n/, `---\n${added}`))
  }
}

/** Checks the section of a site that runs: on its pages, and in the editor of a service. */
export async function checkOwnSections(t: TestContext, { site, url }: { site: string; url: string }) {
  const read = async (path: string) => (await fetch(url + path, CLOSED)).text()
  const business = 'Front Range Plumbing'

  await t.test('a custom section is on its pages, with inherited values', async () => {
    assert.ok((await read('/')).includes(`<h2>For all we do: 1 years by ${business}</h2>`))
    assert.ok(
      (await read('/services/water-heaters')).includes(`<h2>For all we do: 1 years by ${business}</h2>`),
    )
    for (const path of ['/services/drain-cleaning', '/services/drain-cleaning/aurora']) {
      const html = await read(path)
      assert.ok(html.includes(`<h2>For all we do: 10 years by ${business}</h2><p>No mess</p>`), html)
    }
  })

  await t.test('its fields are on the home page and in the editor, validated, and published', async () => {
    const ask = await signIn(site, url)
    const home = await (await ask('/admin/home')).text()
    assert.match(home, /Our guarantee/)
    assert.equal(fieldsOf(home)['home.guarantee_heading'], 'For all we do')
    const services = await (await ask('/admin/entries/services')).text()
    const [, path = ''] =
      /href="(\/admin\/entries\/services\/\d+)"[^>]*>\s*Drain cleaning/.exec(services) ?? []
    const html = await (await ask(path)).text()
    assert.match(html, /Our guarantee.*Guarantee heading.*guarantee_promises\.0\.title/s)
    const fields = {
      ...fieldsOf(html),
      guarantee_heading: 'A heading that is a good deal longer than forty characters',
      'guarantee_promises.0.title': 'No mess at all',
    }
    const post = (changed: object) =>
      ask(path, { method: 'POST', body: new URLSearchParams({ ...fields, ...changed, act: 'save' }) })
    const refused = await post({})
    assert.equal(refused.status, 422)
    assert.match(await refused.text(), /Enter at most 40 characters/)
    const saved = await post({ guarantee_heading: 'Ten good years' })
    assert.equal(saved.status, 303, await saved.text())
    buildOwnSite(site, url)
    const under = ['', '/aurora', '/boulder', '/denver'].map((place) => `/services/drain-cleaning${place}`)
    // It lists the services.
    assert.deepEqual(changedPages(site), ['/prices', ...under])
    assert.match(await read('/services/drain-cleaning/denver'), /Ten good years: 10 years.*No mess at all/s)
    const file = readFileSync(join(site, 'content/services/drain-cleaning.md'), 'utf8')
    assert.ok(!file.includes('Ten good years'), 'the file is as it was until somebody exports')
  })

  await t.test('a stricter rule or another type of a field leaves the stored values readable', () => {
    const [section, settings] = [
      join(site, 'src/components/sections/Guarantee.ts'),
      join(site, 'content/site.yaml'),
    ]
    const texts = [section, settings].map((file): [string, string] => [file, readFileSync(file, 'utf8')])
    const edit = (file: string, from: string, to: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    edit(section, 'max(40)', 'max(3)')
    edit(settings, 'guarantee_heading: For all we do', 'guarantee_heading: All')
    assert.match(wouldSync(site), /Would sync: 0 added, 1 changed/)
    edit(section, 'z.string().max(3)', 'z.number()')
    edit(settings, 'guarantee_heading: All', 'guarantee_heading: 3')
    assert.match(wouldSync(site), /Would sync: 0 added, 1 changed/)
    for (const [file, text] of texts) writeFileSync(file, text)
  })
}

function wouldSync(site: string): string {
  const env = ownEnvironment({})
  return execFileSync('npx', ['signpost', 'content:sync', '--dry-run'], { cwd: site, env, encoding: 'utf8' })
}

async function signIn(site: string, url: string) {
  const db = connectDatabase(`file:${join(site, 'data/signpost.db')}`)
  const account = { email: 'ann@example.com', name: null, passwordHash: quickHash('correct horse battery') }
  const id = await insertAdministrator(db, { ...account, now: new Date() })
  assert.ok(id)
  const visitor = { address: '127.0.0.1', userAgent: 'test' }
  const token = await startSession(db, id, visitor, { now: new Date() })
  await db.destroy()
  const headers = { ...CLOSED.headers, cookie: `signpost_session=${token}`, origin: url, accept: 'text/html' }
  return (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init, headers })
}

// The inputs of the editor's form as a browser posts them; the last of a name wins.
function fieldsOf(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input\b[^>]*>/g)
  const selects = html.matchAll(/<select\b[^>]*\bname="([^"]+)".*?<\/select>/gs)
  const texts = html.matchAll(/<textarea\b[^>]*\bname="([^"]+)"[^>]*>([^<]*)</g)
  return Object.fromEntries([
    ...[...inputs].flatMap(([tag]) => {
      const [, name] = /\bname="([^"]+)"/.exec(tag) ?? []
      if (!name || (/type="(checkbox|radio)"/.test(tag) && !/\schecked\b/.test(tag))) return []
      return [[name, /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '']]
    }),
    ...[...selects].flatMap(([all, name = '']) => {
      const [, value] = /<option value="([^"]*)"[^>]* selected/.exec(all) ?? []
      return value === undefined ? [] : [[name, value]]
    }),
    ...[...texts].map(([, name = '', text = '']) => [name, text]),
  ])
}
