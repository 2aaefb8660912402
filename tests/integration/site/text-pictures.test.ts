import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findForm } from '#src/forms/form-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { loadSuccessHtml } from '#src/site/forms/form-view.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import { previewEntry } from '#src/site/preview-entry.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const siteUrl = 'https://example.com'
const SHOWN =
  /<img src="\/_astro\/picture-a1a1a1a1a1a1a1a1-600\.webp" srcset="[^"]+ 480w, [^"]+ 600w" width="600"/

async function aSite(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  const picture = aPicture({ sha256: 'a1'.repeat(32), width: 600, height: 300 })
  await savePicture(db, picture, { now: '2026-11-20T10:00:00.000Z' })
  return db
}

test('contract §8 every Markdown text of the site shows pictures by name', async (t) => {
  const db = await aSite(t)
  const body = '![The shop](shop.jpg)'
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/waco')
  const place = (slug: string) => ({ slug, id: places.get(slug) as number })
  const service = {
    slug: 'repair',
    id: await addEntry(db, 'services', { slug: 'repair', title: 'Repair', body }),
  }
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body })
  await addEntry(db, 'testimonials', { slug: 'good', title: 'Good', body })
  await offer(db, service, place('austin'))
  await offer(db, service, place('waco'), { body: `Waco ${body}` })
  const html = new Map<string, string>()
  for await (const { path, view } of listPages(db, { siteUrl })) {
    const { service, bodyHtml, testimonials } = view.detail as Record<string, never> as {
      service?: { bodyHtml: string }
      bodyHtml?: string
      testimonials?: { quoteHtml: string }[]
    }
    html.set(path, service?.bodyHtml ?? bodyHtml ?? '')
    html.set(`${path} quote`, testimonials?.[0]?.quoteHtml ?? '')
  }
  for (const key of [
    '/about',
    '/services/repair',
    '/services/repair/austin',
    '/services/repair/waco',
    '/ quote',
  ])
    assert.match(html.get(key) ?? '', SHOWN, key)
})

test('a preview shows the pictures of an unsaved text', async (t) => {
  const db = await aSite(t)
  const type = await findContentType(db, 'pages')
  assert.ok(type)
  const input = { ...emptyEntryInput({}), slug: 'new', title: 'New', body: '![The shop](/pictures/shop.jpg)' }
  const page = await previewEntry(db, { type, input, id: 0 }, { siteUrl, now: new Date() })
  assert.ok(page)
  assert.match((page.view.detail as { bodyHtml: string }).bodyHtml, SHOWN)
})

test('the text after a form shows pictures by name', async (t) => {
  const db = await aSite(t)
  const settings_json = JSON.stringify({ success_body: 'Thanks ![The shop](shop.jpg)' })
  await db.updateTable('forms').set({ settings_json }).where('slug', '=', 'waitlist').execute()
  const form = await findForm(db, 'waitlist')
  assert.ok(form)
  assert.match(await loadSuccessHtml(db, form), SHOWN)
})

test('a broken success text stops a publish with its form’s name, and no post', async (t) => {
  const db = await aSite(t)
  const settings_json = JSON.stringify({ success_body: '>'.repeat(5_000) })
  await db.updateTable('forms').set({ settings_json }).where('slug', '=', 'waitlist').execute()
  const form = await findForm(db, 'waitlist')
  assert.ok(form)
  assert.equal(await loadSuccessHtml(db, form), '<p>We received your message.</p>')
  await assert.rejects(async () => {
    for await (const page of listPages(db, { siteUrl })) assert.ok(page)
  }, /The text of the form waitlist can’t be shown: quotes, lists, or formatting are nested too deeply/)
})
