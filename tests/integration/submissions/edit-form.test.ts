import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import type { Schema } from '#src/db/schema.ts'
import { createForm, editForm, type FormOutcome } from '#src/forms/edit-form.ts'
import { fieldIndex, moveField, orderFields, putField, removeField } from '#src/forms/fields/edit-fields.ts'
import { toFieldDraft, toFieldTexts } from '#src/forms/fields/field-input.ts'
import { COUNTED_SUBMISSIONS, listFormSummaries } from '#src/forms/form-list-store.ts'
import { findForm, toFormDefinition } from '#src/forms/form-store.ts'
import { toSettingsTexts, withSettings } from '#src/forms/settings-input.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { duplicateForm } from '#src/submissions/duplicate-form.ts'
import { listFieldMentions } from '#src/submissions/field-mentions.ts'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { listWebhooks } from '#src/webhooks/definition/webhook-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, storedSubmission } from '../../support/desk.ts'
import { EVERY_FIELD } from '../../support/every-field.ts'
import { storeForm } from '../../support/forms.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const secretBox = createSecretBox(new Uint8Array(32).fill(7))
const NAME = { name: 'full_name', label: 'Name', required: true }
const ROLE = { name: 'role', label: 'Role' }

async function anEditor(db: Kysely<Schema>) {
  const account = { email: 'ann@example.com', name: null, password: 'correct horse battery' }
  const created = await createAdministrator(db, account, { now: NOW })
  assert.ok(created.kind === 'saved')
  return { updatedBy: created.value, now: NOW }
}

function assertSaved(outcome: FormOutcome) {
  assert.ok(outcome.kind === 'saved', JSON.stringify(outcome))
  return outcome.value
}

const problemsOf = (outcome: FormOutcome) =>
  outcome.kind === 'invalid' ? outcome.problems.map(({ path, code }) => [path.join('.'), code]) : outcome

test('§2.1 an edit in the admin creates a version with its author, and published pages stay valid', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  await storeForm(db, 'quote', { fields: [NAME, ROLE] })
  const form = assertSaved(
    await editForm(
      db,
      'quote',
      putField({ name: 'budget', label: 'Budget', type: 'number', required: true }),
      editing,
    ),
  )
  assert.deepEqual([form.version, form.fields.at(-1)?.name, form.updatedAt], [2, 'budget', NOW.toISOString()])
  const row = await db.selectFrom('forms').select('updated_by').where('slug', '=', 'quote').executeTakeFirst()
  assert.equal(row?.updated_by, editing.updatedBy)
  const old = await aDesk(db).accept('quote', { _v: '1', full_name: 'Ada' })
  assert.equal((await storedSubmission(db, old)).formVersion, 1)
  assert.equal((await aDesk(db).accept('quote', { _v: '2', full_name: 'Ada' })).kind, 'invalid')
  // §2.1: forms keep living when their administrator goes.
  await db.deleteFrom('admin_users').execute()
  const after = await db
    .selectFrom('forms')
    .select('updated_by')
    .where('slug', '=', 'quote')
    .executeTakeFirst()
  assert.equal(after?.updated_by, null)
})

test('§2.2 every mistake is reported at its field, and nothing is saved', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  await storeForm(db, 'quote', { fields: [NAME, ROLE] })
  const before = await findForm(db, 'quote')
  const wrong = {
    ...{ name: 'Full Name', label: ' ', type: 'select', options: ['a/1', 'b/1'] },
    validation: { min_length: 3, pattern: '(' },
  }
  const outcome = await editForm(db, 'quote', putField(wrong, 'role'), editing)
  const told = problemsOf(outcome) as string[][]
  assert.deepEqual(told.slice(0, 3), [
    ['fields.1.name', 'field_name'],
    ['fields.1.label', 'label'],
    ['fields.1.options.1', 'option_repeated'],
  ])
  assert.deepEqual(
    told.slice(3).map(([path]) => path),
    ['fields.1.validation.min_length', 'fields.1.validation.pattern', 'fields.1.validation.pattern'],
  )
  const twice = await editForm(db, 'quote', putField({ ...NAME, label: 'Again' }), editing)
  assert.deepEqual((problemsOf(twice) as string[][])[0]?.[0], 'fields.2.name')
  const decoy = await editForm(
    db,
    'quote',
    (definition) => ({
      ...definition,
      settings: { honeypot: 'role', retention_days: 0.5, redirect_url: '//evil' },
    }),
    editing,
  )
  assert.deepEqual(
    (problemsOf(decoy) as string[][]).map(([path]) => path),
    ['settings.redirect_url', 'settings.retention_days'],
  )
  assert.deepEqual(await findForm(db, 'quote'), before)
  assert.deepEqual(await editForm(db, 'nobody', (definition) => definition, editing), { kind: 'not_found' })
})

test('fields are moved, ordered, and removed; others keep their place', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  await storeForm(db, 'quote', { fields: ['a', 'b', 'c', 'd'].map((name) => ({ name, label: name })) })
  const order = async (change: Parameters<typeof editForm>[2]) =>
    assertSaved(await editForm(db, 'quote', change, editing))
      .fields.map(({ name }) => name)
      .join('')
  assert.equal(await order(moveField('c', -1)), 'acbd')
  assert.equal(await order(moveField('a', -1)), 'acbd')
  assert.equal(await order(moveField('d', 1)), 'acbd')
  assert.equal(await order(moveField('a', 1)), 'cabd')
  assert.equal(await order(moveField('nobody', 1)), 'cabd')
  // Someone else added `d` meanwhile, and removed `x`.
  assert.equal(await order(orderFields(['x', 'b', 'a', 'c'])), 'bacd')
  assert.equal(await order(removeField('a')), 'bcd')
  const form = await findForm(db, 'quote')
  assert.deepEqual([fieldIndex(form ?? { fields: [] }, 'c'), fieldIndex(form ?? { fields: [] }, 'x')], [1, 3])
})

test('§2.2 the input of each field type is stored and reads back unchanged', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const every = await storeForm(db, 'everything', EVERY_FIELD)
  assert.equal(new Set(every.fields.map(({ type }) => type)).size, 12)
  await storeForm(db, 'copied', { fields: [] })
  for (const field of every.fields) {
    assertSaved(await editForm(db, 'copied', putField(toFieldDraft(toFieldTexts(field))), editing))
  }
  assert.deepEqual((await findForm(db, 'copied'))?.fields, every.fields)
  // What belongs to another type is left out when the type is chosen again.
  const texts = { ...toFieldTexts(every.fields[4] as never), type: 'text', 'validation.max_size': '3' }
  assert.deepEqual(toFieldDraft(texts).options, [])
  const wrong = toFieldDraft({ type: 'text', name: 'a', label: 'A', 'validation.max_length': 'many' })
  assert.deepEqual(problemsOf(await editForm(db, 'copied', putField(wrong), editing)), [
    [`fields.${every.fields.length}.validation.max_length`, 'number_of_characters'],
  ])
})

test('§2.1 settings read back unchanged, and saving them changes nothing', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const settings = [
    {},
    { anti_spam: null, retention_days: 30, honeypot: 'website', success_body: 'Thanks **a lot**' },
    { anti_spam: false },
    { anti_spam: { max_links: null, min_seconds: 0.5, proof_of_work: true } },
    {
      redirect_url: '/thank-you',
      success_redirect: 'https://example.com/',
      notification_email: 'leads@example.com',
    },
  ]
  for (const [index, one] of settings.entries()) {
    const form = await storeForm(db, `form-${index}`, { fields: [NAME], settings: one })
    const saved = assertSaved(await editForm(db, form.slug, withSettings(toSettingsTexts(form)), editing))
    assert.deepEqual(toFormDefinition(saved), toFormDefinition(form))
  }
  const typed = {
    ...{ name: ' Offers ', status: 'archived', description: '', 'settings.retention_days': 'x' },
    ...{
      'settings.anti_spam': 'on',
      'settings.anti_spam.min_seconds': 'x',
      'settings.notification_email': 'nope',
    },
  }
  assert.deepEqual(
    (problemsOf(await editForm(db, 'form-0', withSettings(typed), editing)) as string[][])
      .map(([path]) => path)
      .sort(),
    ['settings.anti_spam.min_seconds', 'settings.notification_email', 'settings.retention_days'],
  )
})

test('a new form needs a free slug', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const definition = { name: 'Contact', fields: [NAME] }
  assert.equal((await createForm(db, 'contact', definition, editing)).kind, 'saved')
  assert.equal((await createForm(db, 'contact', definition, editing)).kind, 'invalid')
  const taken = problemsOf(await createForm(db, 'waitlist', definition, editing))
  assert.deepEqual(taken, [['slug', 'taken']])
  for (const slug of ['', 'Contact', 'a b', '../x', 'a--b', 'x'.repeat(81)])
    assert.deepEqual(problemsOf(await createForm(db, slug, definition, editing)), [['slug', 'no_slug']])
  assert.equal((await createForm(db, 'empty', { name: '', fields: [] }, editing)).kind, 'invalid')
})

test('a duplicate is a draft without secrets, submissions, or a built-in flag', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const waitlist = await findForm(db, 'waitlist')
  assert.ok(waitlist)
  const webhook = {
    ...{
      name: 'CRM',
      url: 'https://crm.example.com/',
      method: 'POST' as const,
      max_retries: 3,
      enabled: true,
    },
    headers: { authorization: 'Bearer tok-123', 'x-office': 'texas' },
    ...{ payload_template: { name: '{{full_name}}' }, fire_on: null, signing_secret: 'a-secret-of-ours' },
  }
  await saveWebhooks(db, waitlist.id, [webhook], { secretBox, now: NOW })
  await aDesk(db).accept('waitlist', {
    full_name: 'A',
    email: 'a@example.com',
    phone: '512 555 0100',
    role: 'x',
  })
  const options = { name: 'Second list', slug: 'second', secretBox, ...editing }
  const outcome = await duplicateForm(db, 'waitlist', options)
  assert.ok(outcome.kind === 'saved')
  const form = outcome.value
  assert.deepEqual(
    { ...toFormDefinition(form), name: '', status: '' },
    { ...toFormDefinition(waitlist), name: '', status: '' },
  )
  assert.deepEqual([form.name, form.status, form.isBuiltin, form.version], ['Second list', 'draft', false, 1])
  const [copy] = await listWebhooks(db, form.id)
  assert.deepEqual(
    [copy?.enabled, copy?.signingSecret, copy?.headers, copy?.payloadTemplate],
    [false, null, { 'x-office': 'texas' }, { name: '{{full_name}}' }],
  )
  const submissions = await db.selectFrom('form_submissions').select('form_id').execute()
  assert.deepEqual(submissions, [{ form_id: waitlist.id }])
  assert.deepEqual(problemsOf(await duplicateForm(db, 'waitlist', options)), [['slug', 'taken']])
  assert.equal((await duplicateForm(db, 'nobody', options)).kind, 'not_found')
})

test('a duplicate has the default answers of its form, even those that visitors couldn’t send', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const size = { name: 'size', label: 'Size', type: 'number' as const, default_value: 'large' }
  await storeForm(db, 'quote', { fields: [NAME, size] })
  const options = { name: 'Second', slug: 'second', secretBox, ...editing }
  const copy = assertSaved(await duplicateForm(db, 'quote', options))
  assert.deepEqual(toFormDefinition(copy).fields[1], { ...toFormDefinition(copy).fields[1], ...size })
  const renamed = await editForm(db, 'second', (form) => ({ ...form, name: 'Third' }), editing)
  assert.equal(assertSaved(renamed).name, 'Third')
})

test('a duplicate that fails halfway leaves nothing behind', async (t) => {
  const db = await openTestDatabase(t)
  const editing = await anEditor(db)
  const form = await storeForm(db, 'quote', { fields: [NAME] })
  const webhook = { name: 'CRM', url: 'https://example.com/', method: 'POST' as const, enabled: true }
  const rest = { headers: null, payload_template: null, fire_on: null, max_retries: 1 }
  await saveWebhooks(db, form.id, [{ ...webhook, ...rest }], { secretBox, now: NOW })
  await sql`create trigger full before insert on form_webhooks begin select raise(abort, 'no room'); end`.execute(
    db,
  )
  const options = { name: 'Second', slug: 'second', secretBox, ...editing }
  await assert.rejects(duplicateForm(db, 'quote', options), /no room/)
  assert.equal(await findForm(db, 'second'), undefined)
})

test('before a field is removed, the webhooks and emails that use it are listed', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', {
    settings: {
      notifications: [
        { to: ['ann@example.com', 'bob@example.com'], when: { role: 'owner' } },
        { to: ['eve@example.com'], text: '{{role}}' },
        { to: ['clare@example.com'] },
      ],
      reply: { subject: 'Thanks, {{full_name}}', text: 'We’ll call.' },
    },
    fields: [NAME, ROLE],
  })
  const aWebhook = {
    url: 'https://example.com/',
    method: 'POST' as const,
    headers: null,
    max_retries: 1,
    enabled: true,
  }
  const webhooks = [
    { ...aWebhook, name: 'template', payload_template: { who: '{{role}} {{full_name}}' }, fire_on: null },
    {
      ...aWebhook,
      name: 'condition',
      payload_template: null,
      fire_on: { field: 'role', op: 'eq' as const, value: 'x' },
    },
    { ...aWebhook, name: 'neither', payload_template: null, fire_on: null },
  ]
  await saveWebhooks(db, form.id, webhooks, { secretBox, now: NOW })
  assert.deepEqual(await listFieldMentions(db, form, 'role'), {
    webhooks: ['template', 'condition'],
    emails: ['ann@example.com and bob@example.com', 'eve@example.com'],
  })
  assert.deepEqual(await listFieldMentions(db, form, 'full_name'), {
    webhooks: ['template'],
    emails: ['Automatic reply'],
  })
})

test('the list of forms shows counts up to 10,000 and the latest submission', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: [NAME, ROLE] })
  const many = Array.from({ length: COUNTED_SUBMISSIONS / 10 + 1 }, () => ({
    form_id: form.id,
    client_id: randomUUID(),
    submitted_at: '2026-11-20T10:00:00.000Z',
  }))
  for (let turn = 0; turn < 10; turn += 1)
    await db
      .insertInto('form_submissions')
      .values(many.map((row) => ({ ...row, client_id: randomUUID() })))
      .execute()
  const summaries = await listFormSummaries(db)
  assert.deepEqual(
    summaries.map(({ slug, fields, submissions, lastSubmittedAt }) => [
      slug,
      fields,
      submissions,
      lastSubmittedAt,
    ]),
    [
      ['quote', 2, COUNTED_SUBMISSIONS + 1, '2026-11-20T10:00:00.000Z'],
      ['waitlist', 6, 0, null],
    ],
  )
})
