import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findFieldsOfVersion } from '#src/forms/form-version-store.ts'
import { fieldsOfTheTime } from '#src/submissions/inbox/label-answers.ts'
import { showSubmission } from '#src/submissions/inbox/show-submission.ts'
import type { Submission } from '#src/submissions/submission.ts'
import { openEmptySqlite, openTestDatabase } from '../../support/database.ts'
import { aDesk, countRows, storedSubmission } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const NAME = { name: 'full_name', label: 'Name', required: true }
const ROLE = { name: 'role', label: 'Role', validation: { max_length: 10 } }
const BUDGET = { name: 'budget', label: 'Budget', type: 'number' as const, required: true }

/** Version 1 asks for name and role, version 2 for name and a budget. */
async function aFormThatChanged(db: Kysely<Schema>) {
  await storeForm(db, 'quote', { fields: [NAME, ROLE] })
  return storeForm(db, 'quote', { fields: [{ ...NAME, label: 'Your name' }, BUDGET] })
}

test('a form gets a new version exactly when its fields change', async (t) => {
  const db = await openTestDatabase(t)
  const versionOf = async (file: Parameters<typeof storeForm>[2]) =>
    (await storeForm(db, 'quote', file)).version
  assert.equal(await versionOf({ fields: [NAME] }), 1)
  assert.equal(
    await versionOf({ fields: [NAME], name: 'Another name', settings: { honeypot: 'website' } }),
    1,
  )
  assert.equal(await versionOf({ fields: [NAME, ROLE] }), 2)
  assert.equal(await versionOf({ fields: [NAME, ROLE] }), 2)
  assert.equal(await versionOf({ fields: [ROLE, NAME] }), 3)
  assert.equal(await versionOf({ fields: [ROLE, { ...NAME, label: 'Your name' }] }), 4)
  assert.equal(await versionOf({ fields: [] }), 5)
  const form = await findForm(db, 'quote')
  assert.deepEqual(
    (await findFieldsOfVersion(db, form?.id ?? 0, 2))?.map(({ label }) => label),
    ['Name', 'Role'],
  )
  assert.equal(await findFieldsOfVersion(db, form?.id ?? 0, 6), undefined)
})

test('a version’s fields read back as the form had them', async (t) => {
  const db = await openTestDatabase(t)
  const size = {
    name: 'size',
    label: 'Size',
    type: 'radio' as const,
    options: ['Small/s', 'Large'],
    help_text: 'Roughly',
  }
  const before = await storeForm(db, 'quote', { fields: [NAME, ROLE, BUDGET, size] })
  await storeForm(db, 'quote', { fields: [NAME] })
  assert.deepEqual(await findFieldsOfVersion(db, before.id, 1), before.fields)
})

test('a field added since the page was published isn’t validated, required or not', async (t) => {
  const db = await openTestDatabase(t)
  await aFormThatChanged(db)
  const outcome = await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada' })
  const { answers, formVersion } = await storedSubmission(db, outcome)
  assert.deepEqual(answers, { full_name: 'Ada', role: null, budget: null })
  assert.equal(formVersion, 1)
})

test('a field added since is stored if it is sent anyway', async (t) => {
  const db = await openTestDatabase(t)
  await aFormThatChanged(db)
  const outcome = await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada', budget: '5' })
  assert.deepEqual((await storedSubmission(db, outcome)).answers, { full_name: 'Ada', role: null, budget: 5 })
  assert.equal((await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada', budget: 'x' })).kind, 'invalid')
})

test('the answer to a removed field is kept and validated by its former rules', async (t) => {
  const db = await openTestDatabase(t)
  await aFormThatChanged(db)
  const outcome = await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada', role: ' Owner ' })
  assert.equal((await storedSubmission(db, outcome)).answers.role, 'Owner')
  const refused = await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada', role: 'Chief of everything' })
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(refused.errors, { role: ['Use at most 10 characters'] })
  // What is shown again is what was asked, so that the message has its field.
  assert.deepEqual(
    [refused.form.version, refused.form.fields.map(({ name }) => name)],
    [1, ['full_name', 'role']],
  )
})

const DAY_MS = 24 * 3_600_000

for (const [days, oldestDays, expected, what] of [
  [30, undefined, 'accepted', 'a page is checked by its own questions for 30 days after they were replaced'],
  [31, undefined, 'invalid', 'a page older than that is checked by the questions of today'],
  [
    400,
    400,
    'accepted',
    'a page of a release that is kept is checked by its own questions however old it is',
  ],
  [400, 399, 'invalid', 'a page that no kept release shows is checked by the questions of today'],
] as const) {
  test(what, async (t) => {
    const db = await openTestDatabase(t)
    await aFormThatChanged(db)
    const { created_at: replacedAt } = await db
      .selectFrom('form_versions')
      .select('created_at')
      .where('version', '=', 2)
      .executeTakeFirstOrThrow()
    const now = new Date(Date.parse(replacedAt) + days * DAY_MS)
    const oldest = oldestDays && new Date(now.getTime() - oldestDays * DAY_MS).toISOString()
    const desk = aDesk(db, { now: () => now, findOldestRelease: async () => oldest })
    assert.equal((await desk.accept('quote', { _v: '1', full_name: 'Ada' })).kind, expected)
  })
}

test('a current page, or one with a missing or invalid version, is validated by the current rules', async (t) => {
  const db = await openTestDatabase(t)
  await aFormThatChanged(db)
  for (const _v of [
    '2',
    undefined,
    '3',
    '0',
    '-1',
    'x',
    '1.5',
    '999999999',
    '99999999999',
    ['1', '2'],
    null,
  ]) {
    const refused = await aDesk(db).accept('quote', { _v, full_name: 'Ada', role: 'Owner' })
    assert.ok(refused.kind === 'invalid', String(_v))
    assert.deepEqual(Object.keys(refused.errors), ['budget'])
    const stored = await storedSubmission(
      db,
      await aDesk(db).accept('quote', { _v, full_name: 'Ada', budget: '1', role: 'x' }),
    )
    assert.deepEqual([stored.formVersion, stored.answers], [2, { full_name: 'Ada', budget: 1 }])
  }
})

test('a submission shows the labels from when it was sent', async (t) => {
  const db = await openTestDatabase(t)
  const form = await aFormThatChanged(db)
  const old = await storedSubmission(db, await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada' }))
  const recent = await storedSubmission(
    db,
    await aDesk(db).accept('quote', { full_name: 'Ada', budget: '1' }),
  )
  const labelsOf = async (submission: Submission) =>
    (await fieldsOfTheTime(db, submission, form)).map(({ label }) => label)
  assert.deepEqual(await labelsOf(old), ['Name', 'Role'])
  assert.deepEqual(await labelsOf(recent), ['Your name', 'Budget'])
  assert.deepEqual(await labelsOf({ ...recent, formVersion: null }), ['Name', 'Role'])
})

test('§2.4 submissions from before versions show their former labels, and each form’s fields become version 1', async (t) => {
  const db = openEmptySqlite(t)
  await migrate(db, { to: '0013' })
  await db
    .insertInto('form_submissions')
    .values({ form_id: 1, full_name: 'Ada' } as never)
    .execute()
  await migrate(db)
  const waitlist = await findForm(db, 'waitlist')
  assert.equal(waitlist?.version, 1)
  assert.deepEqual(await findFieldsOfVersion(db, 1, 1), waitlist?.fields)
  await storeForm(db, 'waitlist', { fields: [{ ...NAME, label: 'How shall we call you?' }] })
  const { id, form_version } = await db.selectFrom('form_submissions').selectAll().executeTakeFirstOrThrow()
  assert.equal(form_version, null)
  const shown = await showSubmission(db, id, { scope: EVERY_LEAD, marksRead: true })
  assert.deepEqual(shown?.answers.map(({ label, text }) => [label, text]).slice(0, 2), [
    ['Full name', 'Ada'],
    ['Email', ''],
  ])
  assert.equal(await countRows(db, 'form_submissions'), 1)
})
