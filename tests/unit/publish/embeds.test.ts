import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SiteWriter } from '#src/publish/release/site-writer.ts'
import { writeEmbeds } from '#src/publish/render/write-embeds.ts'
import type { SiteContent } from '#src/site/content/site-content.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { temporaryFolder } from '../../support/database.ts'

const SCRIPTS = {
  header: 'openMenu()',
  form: 'typeof embeddedForm;document.querySelectorAll("form[data-form]")',
  split: 'import{a}from"./shared.js";document.querySelectorAll("form[data-form]")',
  visit: 'navigator.sendBeacon("/api/visits")',
}
const PARTS = ['<section class="sp-form-card" id="form">', '<form data-form="quote"></form></section>']

type ScriptName = keyof typeof SCRIPTS

/** Writes the embedded form of a page; undefined if there is none. */
async function embed(
  t: Parameters<typeof temporaryFolder>[0],
  body: string,
  scripts: ScriptName[] = ['form', 'visit'],
) {
  const siteDir = temporaryFolder(t)
  for (const folder of ['_astro', 'forms']) mkdirSync(join(siteDir, folder))
  for (const [name, code] of Object.entries(SCRIPTS)) writeFileSync(join(siteDir, `_astro/${name}.js`), code)
  const tags = scripts.map((name) => `<script type="module" src="/_astro/${name}.js"></script>`)
  const page = `<!DOCTYPE html><html lang="en" dir="ltr"><body>${body}${tags.join('')}</body></html>`
  writeFileSync(join(siteDir, 'forms/quote.html'), page)
  const forms = new Map(
    ['active', 'draft'].map((status) => [status, { slug: status === 'active' ? 'quote' : 'none', status }]),
  )
  const content = { forms, settings: siteSettings.parse({ name: 'A' }) } as unknown as SiteContent
  const writer = new SiteWriter(siteDir)
  const warnings = await writeEmbeds({ siteDir }, { content, writer, clientDir: siteDir })
  const file = join(siteDir, 'forms/quote/embed.js')
  return { warnings, script: existsSync(file) ? readFileSync(file, 'utf8') : undefined }
}

for (const [what, body, html] of [
  ['a section', `<main>${PARTS.join('')}<p>After</p></main>`, PARTS.join('')],
  [
    'a section with others inside',
    PARTS.join('<section>Call us</section>'),
    PARTS.join('<section>Call us</section>'),
  ],
  ['another element', `<div id="form"><form data-form="quote"></form></div><p>After</p>`, undefined],
] as const)
  test(`the form on other websites is the element "form" of its page: ${what}`, async (t) => {
    const { warnings, script = '' } = await embed(t, body)
    assert.deepEqual(warnings, [])
    const expected = html ?? '<div id="form"><form data-form="quote"></form></div>'
    assert.ok(script.includes(JSON.stringify({ html: expected }).slice(1, -1)), script)
  })

test('the form on other websites has the form’s script wherever others stand', async (t) => {
  const { script = '' } = await embed(t, PARTS.join(''), ['header', 'visit', 'form'])
  assert.ok(script.includes(SCRIPTS.form) && script.includes(SCRIPTS.visit), script)
  assert.doesNotMatch(script, /openMenu/)
})

test('the form on other websites has its styles and its language, and no heading above theirs', async (t) => {
  const body = PARTS.join('<h1 class="a">Quote</h1><h10></h10>')
  const { script = '' } = await embed(t, body)
  const [, json = '', rest = ''] =
    /^\(\(\) => \{\nconst embeddedForm = (.*?);\n(.*)\n\}\)\(\)\n$/s.exec(script) ?? []
  const { html, lang, dir, styles } = JSON.parse(json)
  assert.equal(html, PARTS.join('<h2 class="a">Quote</h2><h10></h10>'))
  assert.deepEqual([lang, dir], ['en', 'ltr'])
  assert.equal(rest, `(() => {${SCRIPTS.visit}})();\n${SCRIPTS.form}`)
  assert.equal((await embed(t, body, ['form'])).script?.includes(SCRIPTS.visit), false)
  assert.doesNotMatch(styles, /:root|\/\*|\drem\b|Stryker/)
  assert.match(styles, /\d(?:\.\d+)?px/)
  const rules = [...styles.matchAll(/:host\s*\{([^}]*)\}/g)].map(([, text = '']) => text)
  assert.ok(rules.length > 1)
  for (const declaration of rules.flatMap((text) => text.split(';')).map((one) => one.trim()))
    assert.match(declaration, /^(?:|[\w-]+: ?[^:]+ !important)$/s)
})

for (const [what, body, scripts] of [
  ['no element with the ID', '<form data-form="quote"></form>', ['form']],
  ['no form in it', '<section id="form"><form></form></section>', ['form']],
  ['no script of the form', PARTS.join(''), ['header', 'visit']],
  ['a script of several files', PARTS.join(''), ['split']],
] as const)
  test(`a publish warns about a form that other websites can’t show: ${what}`, async (t) => {
    const { warnings, script } = await embed(t, body, [...scripts])
    assert.equal(script, undefined)
    assert.match(warnings.join(), /can’t embed \/forms\/quote.*id="form".*your form components/)
  })
