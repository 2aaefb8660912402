import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildOwnSite, CLOSED } from './own-pages.ts'

/** Hooks that refuse one person, write down what they are told, and add to the head of every page. */
export const OWN_HOOKS: Readonly<Record<string, string>> = {
  'src/hooks.ts': `import { writeFileSync } from 'node:fs'
import { defineHooks } from 'signpost/hooks'

const script = 'document.documentElement.dataset.hooked = "yes"'

export default defineHooks({
  beforeSubmission({ answers }) {
    if (answers.full_name === 'Mallory') return { refuse: 'Please call us instead' }
    if (answers.full_name === 'Trent') throw new Error('CRM is down')
  },
  afterSubmission({ id, form, answers }) {
    writeFileSync(\`data/lead-\${id}.json\`, JSON.stringify([form.slug, answers.full_name]))
  },
  beforePublish() {
    writeFileSync('data/before-publish.txt', 'asked')
  },
  afterPublish({ releaseId, changes }) {
    writeFileSync('data/published.json', JSON.stringify({ releaseId, changes }))
  },
  head: ({ layout, head }) => \`\${layout.tagline === 'Unclosed' ? '</head>' : ''}<meta name="hooked" content="\${layout.siteName}: \${head.title}"><script>\${script}</script>\`,
  jsonLd: (view) => (view.service ? [{ '@type': 'Thing', name: view.head.title }] : []),
})
`,
}

/** Checks the hooks of a site that runs and was published once. */
export async function checkOwnHooks(t: TestContext, { site, url, output }: Hooked) {
  const post = (name: string, accept: string) =>
    fetch(`${url}/api/forms/quote/submissions`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...CLOSED.headers, accept, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ full_name: name, phone: '(303) 555-0103' }),
    })

  await t.test(
    'a hook refuses a post, a failing hook doesn’t, and another one receives the lead',
    async () => {
      const refused = await post('Mallory', 'application/json')
      assert.equal(refused.status, 422)
      assert.deepEqual(((await refused.json()) as { errors: unknown }).errors, {
        _form: ['Please call us instead'],
      })
      assert.match(
        await (await post('Mallory', 'text/html')).text(),
        /role="alert">\s*Please call us instead/,
      )
      const stored = await post('Trent', 'application/json')
      assert.equal(stored.status, 201)
      const { id } = (await stored.json()) as { id: number }
      const file = join(site, `data/lead-${id}.json`)
      // The file is there before it has content.
      const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
      for (let turn = 0; turn < 100 && read() === ''; turn += 1) await pause(50)
      assert.deepEqual(JSON.parse(read()), ['quote', 'Trent'])
      const logged = /"message":"CRM is down".*"hook":"beforeSubmission","place":"src\/hooks\.ts:9"/
      for (let turn = 0; turn < 100 && !logged.test(output()); turn += 1) await pause(50)
      assert.match(output(), logged)
    },
  )

  await t.test('hooks add to the head of pages, and their scripts may run', async () => {
    const page = await fetch(`${url}/services/drain-cleaning`, CLOSED)
    const html = await page.text()
    assert.match(html, /<meta name="hooked" content="Front Range Plumbing: [^"]+">/)
    assert.match(html, /\{"@context":"https:\/\/schema.org","@type":"Thing"/)
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self' 'sha256-/)
    assert.ok(!(await (await fetch(`${url}/`, CLOSED)).text()).includes('"Thing"'))
  })

  await t.test('hooks run before and after a publish with its changes', () => {
    assert.equal(readFileSync(join(site, 'data/before-publish.txt'), 'utf8'), 'asked')
    const { changes } = JSON.parse(readFileSync(join(site, 'data/published.json'), 'utf8'))
    assert.ok(changes.some((one: { path: string }) => one.path === '/services/drain-cleaning/denver'))
  })
}

interface Hooked {
  site: string
  url: string
  output(): string
}

/** Checks that a changed file renders every page, and that a broken one stops a publish. */
export async function checkRefusedHooks(t: TestContext, { site, url }: { site: string; url: string }) {
  await t.test(
    'a change to the hooks is on every page, and a broken file stops with its reason',
    async () => {
      const file = join(site, 'src/hooks.ts')
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, text.replace('name="hooked"', 'name="hooked-again"'))
      buildOwnSite(site, url)
      for (const path of ['/', '/services/drain-cleaning/denver'])
        assert.match(await (await fetch(url + path, CLOSED)).text(), /hooked-again/)
      // By its content, because a change to the file builds every template.
      const settings = join(site, 'content/site.yaml')
      const content = readFileSync(settings, 'utf8')
      writeFileSync(settings, content.replace(/^tagline: .*/m, 'tagline: Unclosed'))
      assert.throws(() => buildOwnSite(site, url), {
        stderr: /hook head in src\/hooks\.ts failed: .*<\/head>/,
      })
      writeFileSync(settings, content)
      writeFileSync(file, `throw new Error('no key')\n`)
      assert.throws(() => buildOwnSite(site, url), { stderr: /src\/hooks\.ts:\d+ can’t be loaded: no key/ })
      writeFileSync(file, text)
    },
  )
}
