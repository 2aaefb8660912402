import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { saveForm } from '#src/forms/form-store.ts'
import {
  findFieldsOfVersion,
  findFormerVersion,
  hadFileField,
  listFieldLabels,
  listFieldsOfVersions,
  recordFormVersion,
} from '#src/forms/form-version-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aFormFile, type FormFile, storeForm } from '../../support/forms.ts'

const SECOND = '2026-11-21T10:00:00.000Z'
const THIRD = '2026-11-22T10:00:00.000Z'
const SIZE = { name: 'size', label: 'Size' }
const ROOMS = { name: 'rooms', label: 'Rooms' }
const PLAN = { name: 'plan', label: 'Plan', type: 'file' as const }

type Fields = NonNullable<FormFile['fields']>
type Database = Awaited<ReturnType<typeof openTestDatabase>>

const fieldsOf = (file: FormFile) => formDefinitionSchema.parse(aFormFile(file)).fields
const namesOf = (fields: { name: string }[] | undefined) => fields?.map(({ name }) => name)

/** Stores two forms: `quote` with three versions and `contact` with one. */
async function storeVersions(db: Database) {
  const { id: quote } = await storeForm(db, 'quote', { fields: [SIZE, PLAN] })
  const { id: contact } = await storeForm(db, 'contact', { fields: [{ name: 'size', label: 'How much?' }] })
  const save = (fields: Fields, now: string) =>
    saveForm(db, 'quote', formDefinitionSchema.parse(aFormFile({ fields })), { now })
  await save([{ ...SIZE, label: 'How large?' }, ROOMS], SECOND)
  await save([SIZE, ROOMS], THIRD)
  return { quote, contact }
}

test('§2.1 fields make a version only if they differ from the newest one', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeForm(db, 'quote', { fields: [SIZE] })
  const record = (fields: Fields) => recordFormVersion(db, id, fieldsOf({ fields }), { now: SECOND })
  assert.equal(await record([SIZE]), 1)
  assert.equal(await record([SIZE, ROOMS]), 2)
  assert.equal(await record([SIZE, ROOMS]), 2)
  // Not compared with earlier versions.
  assert.equal(await record([SIZE]), 3)
  const form = await db.selectFrom('forms').select('version').where('id', '=', id).executeTakeFirst()
  assert.equal(form?.version, 3)
})

test('a version is found by its form and number', async (t) => {
  const db = await openTestDatabase(t)
  const { quote, contact } = await storeVersions(db)
  assert.deepEqual(namesOf(await findFieldsOfVersion(db, quote, 1)), ['size', 'plan'])
  assert.deepEqual(namesOf(await findFieldsOfVersion(db, quote, 2)), ['size', 'rooms'])
  assert.equal(await findFieldsOfVersion(db, quote, 4), undefined)
  assert.equal(await findFieldsOfVersion(db, contact, 2), undefined)
  const found = await listFieldsOfVersions(db, [
    { formId: quote, version: 1 },
    { formId: contact, version: 1 },
    { formId: contact, version: 2 },
  ])
  const names = new Map([...found].map(([key, fields]) => [key, namesOf(fields)]))
  assert.deepEqual(
    names,
    new Map([
      [`${quote} 1`, ['size', 'plan']],
      [`${contact} 1`, ['size']],
    ]),
  )
  assert.deepEqual(await listFieldsOfVersions(db, []), new Map())
})

test('a former version says when the next one replaced it', async (t) => {
  const db = await openTestDatabase(t)
  const { quote, contact } = await storeVersions(db)
  for (const [version, names, replacedAt] of [
    [1, ['size', 'plan'], SECOND],
    [2, ['size', 'rooms'], THIRD],
  ] as const) {
    const former = await findFormerVersion(db, quote, version)
    assert.deepEqual([namesOf(former?.fields), former?.replacedAt], [names, replacedAt])
  }
  assert.equal(await findFormerVersion(db, quote, 3), undefined)
  assert.equal(await findFormerVersion(db, contact, 1), undefined)
})

test('every name that forms ever had keeps all its labels, newest first', async (t) => {
  const db = await openTestDatabase(t)
  const { quote, contact } = await storeVersions(db)
  const ofQuote: [string, string[]][] = [
    ['size', ['Size', 'How large?']],
    ['plan', ['Plan']],
    ['rooms', ['Rooms']],
  ]
  assert.deepEqual([...(await listFieldLabels(db, [quote]))], ofQuote)
  const [, ...others] = ofQuote
  assert.deepEqual(
    [...(await listFieldLabels(db, [contact, quote]))],
    [['size', ['How much?', 'Size', 'How large?']], ...others],
  )
  assert.deepEqual(await listFieldLabels(db, []), new Map())
})

test('a form that had a file field in any version is known', async (t) => {
  const db = await openTestDatabase(t)
  const { quote, contact } = await storeVersions(db)
  assert.equal(await hadFileField(db, quote), true)
  assert.equal(await hadFileField(db, contact), false)
})
