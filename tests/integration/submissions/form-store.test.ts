import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import {
  deleteForm,
  findForm,
  getFormById,
  listForms,
  saveForm,
  toFormDefinition,
} from '#src/forms/form-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aFormFile, storeForm } from '../../support/forms.ts'

const LATER = '2026-11-21T10:00:00.000Z'

test('§2.2 the built-in form reads with its six fields in order', async (t) => {
  const db = await openTestDatabase(t)
  const waitlist = await findForm(db, 'waitlist')
  assert.equal(waitlist?.isBuiltin, true)
  assert.equal(waitlist?.status, 'active')
  assert.deepEqual(
    waitlist?.fields.map(({ name, type, required, validation }) => [
      name,
      type,
      required,
      validation.max_length,
    ]),
    [
      ['full_name', 'text', true, 100],
      ['email', 'email', true, 150],
      ['phone', 'phone', true, 40],
      ['role', 'text', true, 80],
      ['clients_managed', 'text', false, 80],
      ['bottleneck', 'textarea', false, 1000],
    ],
  )
})

test('contract §3 a form is stored and read back as in its file', async (t) => {
  const db = await openTestDatabase(t)
  const definition = formDefinitionSchema.parse({
    name: 'Quote',
    description: 'Ask for a price',
    status: 'draft',
    settings: { honeypot: 'website', redirect_url: null, retention_days: 30 },
    fields: [
      { name: 'size', label: 'Size', type: 'radio', required: true, options: ['Small/s', 'Large'] },
      { name: 'rooms', label: 'Rooms', type: 'number', default_value: 3, validation: { min: 1, max: 9 } },
      { name: 'plan', label: 'Plan', type: 'file', validation: { accept: '.pdf', max_size: 1000 } },
    ],
  })
  await saveForm(db, 'quote', definition, { now: LATER })
  const form = await findForm(db, 'quote')
  assert.ok(form)
  assert.deepEqual(toFormDefinition(form), definition)
  assert.deepEqual(formDefinitionSchema.parse(toFormDefinition(form)), definition)
  assert.deepEqual(form.fields[0]?.options, [
    { label: 'Small', value: 's' },
    { label: 'Large', value: 'Large' },
  ])
  assert.deepEqual([form.isBuiltin, form.createdAt, form.updatedAt], [false, LATER, LATER])
})

test('§2.2 saving keeps the IDs of remaining fields, deletes removed ones, and stores the new order', async (t) => {
  const db = await openTestDatabase(t)
  const fieldIds = async () =>
    new Map(
      (
        await db.selectFrom('form_fields').select(['name', 'id']).where('form_id', '=', form.id).execute()
      ).map(({ name, id }) => [name, id]),
    )
  const form = await storeForm(db, 'quote', {
    fields: ['a', 'b', 'c'].map((name) => ({ name, label: name })),
  })
  const before = await fieldIds()
  const changed = await storeForm(db, 'quote', {
    fields: ['d', 'c', 'a'].map((name) => ({ name, label: `New ${name}`, required: true })),
  })
  const after = await fieldIds()
  assert.equal(changed.id, form.id)
  assert.deepEqual(
    changed.fields.map(({ name, label, required }) => [name, label, required]),
    [
      ['d', 'New d', true],
      ['c', 'New c', true],
      ['a', 'New a', true],
    ],
  )
  assert.deepEqual([after.get('a'), after.get('c')], [before.get('a'), before.get('c')])
  assert.equal(after.has('b'), false)
})

test('§2.1 saving a built-in form keeps its built-in flag and creation time', async (t) => {
  const db = await openTestDatabase(t)
  const before = await findForm(db, 'waitlist')
  await saveForm(db, 'waitlist', formDefinitionSchema.parse(aFormFile({ fields: [] })), { now: LATER })
  const after = await findForm(db, 'waitlist')
  assert.deepEqual([after?.id, after?.isBuiltin, after?.fields], [before?.id, true, []])
  assert.deepEqual([after?.createdAt, after?.updatedAt], [before?.createdAt, LATER])
})

test('§2.2 deleting a form deletes its fields', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote')
  await deleteForm(db, form.id)
  assert.equal(await findForm(db, 'quote'), undefined)
  assert.deepEqual(
    await db.selectFrom('form_fields').where('form_id', '=', form.id).selectAll().execute(),
    [],
  )
  await assert.rejects(getFormById(db, form.id), { message: `There is no form ${form.id}` })
})

test('every form is listed by slug, each with its own fields', async (t) => {
  const db = await openTestDatabase(t)
  const quote = await storeForm(db, 'quote')
  const callback = await storeForm(db, 'callback', { fields: [{ name: 'phone', label: 'Phone' }] })
  assert.deepEqual(await listForms(db), [callback, quote, await findForm(db, 'waitlist')])
  assert.deepEqual(await getFormById(db, quote.id), quote)
})
