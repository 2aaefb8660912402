import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findForm } from '#src/forms/form-store.ts'
import { canonicalJson } from '#src/lib/canonical-json.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { storeWebhook } from '../../support/desk.ts'
import { addEntry, addProjects } from '../../support/small-site.ts'

/** As a block of YAML ends, and as an editor of another system writes. */
const TEXT = '1 Quay St\r\nLimerick\n'
const LINE = ' Warm homes \n'
const STEPS = [
  { title: LINE, text: TEXT },
  { title: 'Second', text: 'Two' },
]

type Db = AdminSite['app']['db']

async function storeAwkwardTexts({ db }: AdminSite['app']) {
  const now = '2026-11-20T10:00:00.000Z'
  const settings = siteSettings.parse({
    ...{ name: LINE, tagline: LINE, address: TEXT, time_zone: 'Europe/Dublin' },
    home: { intro: TEXT, faq: [{ question: LINE, answer: TEXT }] },
  })
  await saveSiteSettings(db, settings, { now })
  const data_json = JSON.stringify({
    summary: TEXT,
    steps: STEPS,
    includes: ['One', 'Two'],
    price_from: LINE,
  })
  await db
    .updateTable('content_entries')
    .set({ title: LINE, body: TEXT, data_json, publish_at: '2026-10-25T01:30:15.250Z' })
    .where('slug', '=', 'ac-repair')
    .execute()
  await addEntry(db, 'pages', { slug: 'about', title: LINE, body: `\n${TEXT}`, data: { summary: LINE } })
  await addProjects(db, { key: 'client', label: 'Client', type: 'text' })
  const schema_json = JSON.stringify({ fields: [{ key: 'client', label: LINE, type: 'text' }] })
  await db
    .updateTable('content_types')
    .set({ name: LINE, description: TEXT, schema_json })
    .where('slug', '=', 'projects')
    .execute()
  await db
    .updateTable('taxonomies')
    .set({ name: LINE, description: TEXT })
    .where('slug', '=', 'locations')
    .execute()
  await db
    .updateTable('taxonomy_terms')
    .set({ name: LINE, description: TEXT })
    .where('slug', '=', 'austin')
    .execute()
  await storeAwkwardForm(db)
}

async function storeAwkwardForm(db: Db) {
  const settings_json = JSON.stringify({ success_heading: LINE, success_body: TEXT, retention_days: 30 })
  await db.updateTable('forms').set({ description: TEXT, settings_json }).execute()
  await db
    .updateTable('form_fields')
    .set({ help_text: TEXT, placeholder: LINE })
    .where('name', '=', 'bottleneck')
    .execute()
  const form = await findForm(db, 'waitlist')
  assert.ok(form)
  const id = await storeWebhook(db, form.id, { url: 'https://hooks.example.com/a' })
  await db
    .updateTable('form_webhooks')
    .set({ name: LINE, fire_on_json: '{}', payload_template_json: '{"a":{"b":"{{email}}"}}' })
    .where('id', '=', id)
    .execute()
}

const EDITED_TABLES = [
  ...(['settings', 'content_types', 'content_entries', 'taxonomies', 'taxonomy_terms'] as const),
  ...(['forms', 'form_fields', 'form_webhooks', 'entry_taxonomy_terms'] as const),
]
/** When and by whom, and how often: saving counts, and says nothing of the content. */
const MARKS = ['updated_at', 'updated_by', 'version', 'id']

async function contentOf(db: Db) {
  const content: Record<string, string[]> = {}
  for (const table of EDITED_TABLES) {
    const rows: object[] = await db.selectFrom(table).selectAll().execute()
    content[table] = rows.map((row) => canonicalJson(withoutMarks(row))).sort()
  }
  return content
}

// The order of keys in a JSON column says nothing either.
function withoutMarks(row: object) {
  const columns = Object.entries(row).filter(([column]) => !MARKS.includes(column))
  return Object.fromEntries(
    columns.map(([column, value]) => [
      column,
      column.endsWith('_json') && value !== null ? canonicalJson(JSON.parse(value)) : value,
    ]),
  )
}

async function listEditors(db: Db): Promise<string[]> {
  const entry = async (type: string, slug: string) => {
    const { id = 0 } = (await findContentType(db, type)) ?? {}
    return `/admin/entries/${type}/${(await findEntry(db, id, slug))?.id}`
  }
  const term = await db
    .selectFrom('taxonomy_terms')
    .select('id')
    .where('slug', '=', 'austin')
    .executeTakeFirst()
  const webhook = await db.selectFrom('form_webhooks').select('id').executeTakeFirst()
  return [
    ...['/admin/settings', '/admin/home'],
    ...[await entry('services', 'ac-repair'), await entry('pages', 'about')],
    await entry('location_services', 'ac-repair/austin'),
    ...['/admin/content-types/projects', '/admin/taxonomies/locations/settings'],
    `/admin/taxonomies/locations/terms/${term?.id}`,
    ...['/admin/forms/waitlist/settings', '/admin/forms/waitlist/fields/bottleneck'],
    `/admin/forms/waitlist/webhooks/${webhook?.id}`,
  ]
}

for (const javaScriptEnabled of [true, false]) {
  test(`saving an untouched form changes nothing ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async (t) => {
    const site = await startAdmin(t, { prepare: storeAwkwardTexts })
    const page = await openAdminPage(t, site, { javaScriptEnabled })
    const before = await contentOf(site.app.db)
    for (const path of await listEditors(site.app.db)) {
      await page.goto(path)
      // The live preview posts too: by a script, or into its own frame.
      const isSaved = page.waitForResponse((one) => {
        const request = one.request()
        const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame()
        return isPage && request.method() === 'POST'
      })
      await page
        .getByRole('button', { name: /^Save\b/ })
        .last()
        .click()
      const answer = await isSaved
      assert.equal(answer.status(), 303, path)
      assert.deepEqual(await contentOf(site.app.db), before, path)
    }
  })
}
