import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry } from '../../support/small-site.ts'

const now = '2026-11-20T10:00:00.000Z'

test('pages keep their form when its slug changes, as the default and in entries', async (t) => {
  const db = await openTestDatabase(t)
  for (const slug of ['quote', 'quote-2']) await storeForm(db, slug)
  await saveSiteSettings(db, { ...(await findSiteSettings(db)), default_form: 'quote' }, { now })
  const named = { data: { form: 'quote', price_from: '$89' }, redirectFrom: ['/former'] }
  const ids = [
    await addEntry(db, 'services', { slug: 'ac-repair', body: 'Text', ...named }),
    await addEntry(db, 'pages', { slug: 'contact', status: 'draft', data: { form: 'quote' } }),
    await addEntry(db, 'pages', { slug: 'other', data: { form: 'quote-2', summary: 'A "quote"' } }),
  ]
  const before = await findEntryById(db, ids[0] as number)
  assert.equal(await renameForm(db, 'quote', 'offer', { now }), 'renamed')
  assert.equal((await findSiteSettings(db)).default_form, 'offer')
  const after = await Promise.all(ids.map((id) => findEntryById(db, id)))
  assert.deepEqual(
    after.map((entry) => entry?.data.form),
    ['offer', 'offer', 'quote-2'],
  )
  const changed = { data: { form: 'offer', price_from: '$89' }, updatedAt: now }
  assert.deepEqual(after[0], { ...before, ...changed })
  assert.equal(await renameForm(db, 'quote-2', 'offer', { now }), 'taken')
  assert.equal((await findEntryById(db, ids[2] as number))?.data.form, 'quote-2')
})
