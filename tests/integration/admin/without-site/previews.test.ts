import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { renderQuote } from '#src/admin/editing/preview/render-text.ts'
import { showPage } from '#src/admin/editing/preview/show-page.ts'
import { showPreview } from '#src/admin/entries/preview/preview-page.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { aPicture } from '../../../support/pictures.ts'
import { addEntry, addPlaces } from '../../../support/small-site.ts'

const TOO_DEEP = `${'>'.repeat(20_000)} a`

test('a quoted text has no headings and links of its own, and pictures that aren’t published', async (t) => {
  const db = await openTestDatabase(t)
  await savePicture(db, aPicture({ name: 'van.jpg' }), { now: '2026-11-20T10:00:00.000Z' })
  const html = await renderQuote(db, '## Our *van*\n\n[Call](tel:1) us\n\n#### End\n\n![](van.jpg)')
  assert.match(html ?? '', /<p data-heading="2">Our <em>van<\/em><\/p>/)
  assert.match(html ?? '', /<p data-heading="4">End<\/p>/)
  assert.match(html ?? '', /<u>Call<\/u> us/)
  assert.match(html ?? '', /src="\/admin\/pictures\/variants\/picture-/)
  assert.equal(await renderQuote(db, 'No ![](gone.jpg)picture'), '<p>No picture</p>')
  assert.equal(await renderQuote(db, TOO_DEEP), undefined)
})

const HTML =
  '<html><script src="/a.js"></script><script>inline()</script><img src="/_astro/picture-a.webp"></html>'

// JSON doesn't show texts as HTML, which pages read while they are rendered.
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const names = Object.getOwnPropertyNames(Object(value))
  return names.flatMap((name) => textsIn(Object(value)[name]))
}

/** A page of the admin; the site renders the page that it is given as HTML. */
async function aPreviewer(t: TestContext) {
  const desk = await anAdminPage(t)
  const rendered: { address: string; page: string }[] = []
  const context = Object.assign(desk.open('/admin/entries/pages/preview?x=1'), {
    async rewrite({ url }: Request) {
      rendered.push({ address: url, page: textsIn(context.locals.page).join('\n') })
      return new Response(HTML)
    },
  })
  return { ...desk, context, rendered }
}

test('a page that isn’t on the site is shown without the scripts of files', async (t) => {
  const { context, rendered } = await aPreviewer(t)
  const page = { kind: 'x' } as never
  const answer = await showPage(context, page)
  assert.deepEqual([context.locals.page, rendered[0]?.address], [page, 'http://localhost/preview'])
  assert.equal(answer.headers.get('content-type'), 'text/html')
  assert.equal(
    await answer.text(),
    '<html><script>inline()</script><img src="/admin/pictures/variants/picture-a.webp"></html>',
  )
  const finished = await showPage(context, page, (html) => html.length.toString())
  assert.match(await finished.text(), /^\d+$/)
})

test('a preview shows a page as it is typed, saved or not', async (t) => {
  const { db, context, rendered } = await aPreviewer(t)
  const preview = async (slug: string, input: object, fields = {}) => {
    const type = await findContentType(db, slug)
    assert.ok(type)
    const draft = { type, input: { ...emptyEntryInput(fields), ...input }, id: 0 }
    const answer = await showPreview(context, draft)
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const about = { title: 'About us', slug: 'about', body: 'We *repair*' }
  const shown = await preview('pages', about)
  assert.deepEqual([shown.status, shown.type], [200, 'text/html'])
  assert.match(rendered.at(-1)?.page ?? '', /About us(?:.|\n)*We <em>repair<\/em>/)
  // Not an error, which browsers would report.
  const empty = await preview('pages', { ...about, title: '' })
  assert.deepEqual([empty.status, empty.type, rendered.length], [200, 'text/plain', 1])
  assert.match(empty.text, /^[A-Z].*\n$/)
  const deep = await preview('pages', { ...about, body: TOO_DEEP })
  assert.deepEqual([deep.status, rendered.length], [422, 1])
  assert.match(deep.text, /^[A-Z].*\n$/)
  // Longer than what is rendered along with the page.
  const long = `${'Long words. '.repeat(500)}*end*`
  const service = await addEntry(db, 'services', { slug: 'ac', title: 'AC repair', body: long })
  const place = (await addPlaces(db, 'austin')).get('austin') as number
  const fields = { service_entry_id: service, location_term_id: place }
  await preview('location_services', { body: 'Own *text*\n\n{{service}}' }, fields)
  assert.match(rendered.at(-1)?.page ?? '', /Own <em>text<\/em>(?:.|\n)*Long words\..*<em>end<\/em>/)
  await db.updateTable('content_entries').set({ body: TOO_DEEP }).where('id', '=', service).execute()
  assert.equal((await preview('location_services', { body: '{{service}}' }, fields)).status, 422)
  await db.updateTable('content_entries').set({ body: long }).where('id', '=', service).execute()
  await preview('location_services', { body: '' }, fields)
  assert.match(rendered.at(-1)?.page ?? '', /Long words\..*<em>end<\/em>/)
})
