import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { changeFormStatus } from '#src/forms/edit-form.ts'
import { FORM_STATUSES } from '#src/forms/form.ts'
import { deleteForm, findForm, setFormStatus } from '#src/forms/form-store.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { removeForm } from '#src/submissions/remove-form.ts'
import { restoreTrashedForm } from '#src/submissions/trash-form.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aDesk, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const now = '2026-11-20T10:00:00.000Z'

test('§3 a form can change from any status to any other', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeForm(db, 'quote')
  for (const from of FORM_STATUSES) {
    for (const to of FORM_STATUSES) {
      await setFormStatus(db, id, from, { now })
      assert.equal(await setFormStatus(db, id, to, { now }), true)
      assert.equal((await findForm(db, 'quote'))?.status, to)
    }
  }
  assert.equal(await setFormStatus(db, 999, 'draft', { now }), false)
})

test('§3 changing the status of a form that was deleted meanwhile changes nothing', async (t) => {
  const db = await openTestDatabase(t)
  const editing = { updatedBy: 1, now: new Date(now) }
  assert.equal(await changeFormStatus(db, 'deleted', 'archived', editing), false)
})

test('§3 a built-in form can’t be deleted or renamed', async (t) => {
  const db = await openTestDatabase(t)
  const options = { confirmation: 'waitlist', files: openDiskFiles(temporaryFolder(t)), now: new Date(now) }
  assert.deepEqual(await removeForm(db, 'waitlist', options), { kind: 'refused', code: 'builtin' })
  await deleteForm(db, (await findForm(db, 'waitlist'))?.id ?? 0)
  assert.equal(await renameForm(db, 'waitlist', 'list', { now }), 'builtin')
  assert.equal((await findForm(db, 'waitlist'))?.isBuiltin, true)
})

test('§3 deleting a form with submissions needs its slug and deletes them too', async (t) => {
  const db = await openTestDatabase(t)
  const files = openDiskFiles(temporaryFolder(t))
  const { id } = await storeForm(db, 'quote')
  await storeWebhook(db, id)
  await storeForm(db, 'other')
  for (const slug of ['quote', 'quote', 'other']) await aDesk(db).accept(slug, {})
  const remove = (confirmation?: string) =>
    removeForm(db, 'quote', { files, now: new Date(now), ...(confirmation && { confirmation }) })
  const problem = { path: ['confirmation'], code: 'unconfirmed', params: { slug: 'quote' } }
  assert.deepEqual(await remove(), { kind: 'invalid', problems: [problem] })
  assert.deepEqual(await remove('Quote'), { kind: 'invalid', problems: [problem] })
  assert.equal((await findForm(db, 'quote'))?.status, 'active')
  assert.deepEqual(await remove('quote'), { kind: 'saved', value: 2 })
  assert.equal(await findForm(db, 'quote'), undefined)
  assert.deepEqual(
    [await countRows(db, 'form_submissions'), await countRows(db, 'webhook_deliveries')],
    [1, 0],
  )
  assert.deepEqual(await remove('quote'), { kind: 'not_found' })
})

test('a form is restored from the trash with its webhooks and secrets, unless its slug is taken', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeForm(db, 'quote')
  await storeForm(db, 'quote', { fields: [{ name: 'answer', label: 'Another answer' }] })
  await storeWebhook(db, id)
  const rows = async () => ({
    forms: await db.selectFrom('forms').selectAll().where('id', '=', id).execute(),
    fields: await db.selectFrom('form_fields').selectAll().where('form_id', '=', id).execute(),
    versions: await db.selectFrom('form_versions').selectAll().where('form_id', '=', id).execute(),
    webhooks: await db.selectFrom('form_webhooks').selectAll().where('form_id', '=', id).execute(),
  })
  const whole = await rows()
  const files = openDiskFiles(temporaryFolder(t))
  assert.equal((await removeForm(db, 'quote', { files, now: new Date(now) })).kind, 'saved')
  const [trashed] = await listTrash(db, { limit: 1 })
  assert.deepEqual([trashed?.name, trashed?.typeSlug, trashed?.parts], ['Contact', 'quote', 1])
  const restore = () => restoreTrashedForm(db, trashed?.id ?? 0, { now: new Date(now) })
  const other = await storeForm(db, 'quote')
  const taken = {
    kind: 'invalid',
    problems: [{ path: ['slug'], code: 'trash_address_taken', params: { slug: 'quote' } }],
  }
  assert.deepEqual(await restore(), taken)
  await deleteForm(db, other.id)
  assert.equal((await restore()).kind, 'saved')
  const restored = await rows()
  const [before] = whole.forms
  assert.deepEqual(restored, { ...whole, forms: [{ ...before, updated_at: restored.forms[0]?.updated_at }] })
  assert.deepEqual(await restore(), { kind: 'not_found' })
  await removeForm(db, 'quote', { files, now: new Date(now) })
  assert.equal(await emptyTrash(db, { now: new Date(Date.parse(now) + 31 * 86_400_000) }), 1)
  assert.deepEqual(await listTrash(db, { limit: 1 }), [])
})

test('§3 a form without submissions is deleted at once', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const outcome = await removeForm(db, 'quote', {
    files: openDiskFiles(temporaryFolder(t)),
    now: new Date(now),
  })
  assert.deepEqual(outcome, { kind: 'saved', value: 0 })
})

test('a form can be renamed only to a valid, free slug', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  await storeForm(db, 'other')
  assert.equal(await renameForm(db, 'quote', 'other', { now }), 'taken')
  assert.equal(await renameForm(db, 'quote', 'Not A Slug', { now }), 'no_slug')
  assert.equal(await renameForm(db, 'nobody', 'new', { now }), 'not_found')
  assert.equal(await renameForm(db, 'quote', 'request', { now }), 'renamed')
  assert.equal((await findForm(db, 'request'))?.name, 'Contact')
})

test('posts to a renamed form’s former slug work until another form takes it', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeForm(db, 'quote')
  await savePublishedAddresses(db, [{ path: '/forms/quote', key: `form:${id}` }])
  await renameForm(db, 'quote', 'request', { now })
  const outcome = await aDesk(db).accept('quote', { answer: 'yes' })
  assert.equal((await storedSubmission(db, outcome)).formId, id)
  // What follows is where the page knows it: the other addresses come with the next publish.
  assert.ok(outcome.kind === 'accepted' && outcome.form.slug === 'quote')
  const other = await storeForm(db, 'quote')
  const later = await aDesk(db).accept('quote', { answer: 'yes' })
  assert.equal((await storedSubmission(db, later)).formId, other.id)
  assert.equal((await aDesk(db).accept('nobody', {})).kind, 'not_found')
})
