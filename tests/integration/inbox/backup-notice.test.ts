import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'

const TOMORROW = new Date(Date.now() + 24 * 3_600_000)
const WEEK_AFTER = new Date(TOMORROW.getTime() + 7 * 24 * 3_600_000)

test('the pages that delete personal data say which backups contain it and until when', async (t) => {
  const site = await startAdmin(t)
  const { app } = site
  const folder = join(app.config.dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  const form = await storeForm(app.db, 'lead')
  const { id } = await app.db
    .insertInto('form_submissions')
    .values({ form_id: form.id, data_json: '{"answer":"Ann"}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const askToDelete = async () =>
    (await site.post('/admin/inbox/removal', { ids: [String(id)], next: '/admin/inbox' })).text()

  const none = /Daily backups don’t contain this data\./
  const elsewhere = /This data also stays in backups stored elsewhere until you delete them\./
  assert.match(await askToDelete(), elsewhere)
  assert.doesNotMatch(await askToDelete(), none)
  const person = await (await site.post('/admin/privacy', { text: 'Ann' })).text()
  assert.match(person, none)
  assert.match(person, elsewhere)

  const stamp = TOMORROW.toISOString().replace(/[-:.]/g, '')
  for (const kind of ['daily', 'before-restore']) writeFileSync(join(folder, `${kind}-${stamp}.db`), '')
  const until = new RegExp(
    `This data stays in daily backups until\\s+<time datetime="${WEEK_AFTER.toISOString()}"`,
  )
  for (const page of [await askToDelete(), await site.read('/admin/forms/lead/removal')]) {
    assert.match(page, until)
    assert.ok(page.includes(`until you delete them: before-restore-${stamp}.db.`), page)
    assert.match(page, elsewhere)
    assert.doesNotMatch(page, none)
  }
  assert.match(
    await site.read('/admin/forms/lead/settings'),
    /Deleted data stays in daily backups for 7 more days\./,
  )
})
