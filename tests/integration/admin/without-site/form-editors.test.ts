import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { z } from 'zod'
import { describeCount } from '#src/admin/forms/describe-count.ts'
import { findFormOfPage } from '#src/admin/forms/form-context.ts'
import { saveField } from '#src/admin/forms/save-field.ts'
import { saveSettings } from '#src/admin/forms/save-settings.ts'
import { receiveForm } from '#src/admin/kit/admin-form.ts'
import { fieldVersion, toFieldTexts } from '#src/forms/fields/field-input.ts'
import { findForm } from '#src/forms/form-store.ts'
import { settingsVersionOf, toSettingsTexts } from '#src/forms/settings-input.ts'
import { addWebhook } from '#src/webhooks/definition/edit-webhook.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { anAdminPage, answerOf } from '../../../support/admin-page.ts'
import { type FormFile, storeForm } from '../../../support/forms.ts'

const TEXTS = z.record(z.string(), z.string())
const FILE: FormFile = {
  name: 'Quote',
  fields: [
    { name: 'full_name', label: 'Name' },
    { name: 'building', label: 'Building', type: 'select', options: ['House', 'Office'] },
  ],
  settings: { honeypot: 'company_website' },
}

async function theForm(t: TestContext, file: FormFile = FILE) {
  const page = await anAdminPage(t)
  const { db, open } = page
  await storeForm(db, 'quote', file)
  const find = async () => {
    const form = await findFormOfPage(open('/admin/x', { params: { form: 'quote' } }))
    assert.ok(form)
    return form
  }
  /** Posts the editor of a field, or of a new one, as it is shown with other texts. */
  async function saveQuestion(replaced: string | undefined, texts: Record<string, string>) {
    const form = await find()
    const field = form.fields.find(({ name }) => name === replaced)
    const shown = field ? toFieldTexts(field) : {}
    const post = { ...shown, based_on: fieldVersion(form, replaced), ...texts }
    const context = open('/admin/x', { params: { form: 'quote' }, post })
    const typed = await receiveForm(context, TEXTS, shown)
    const answer = await saveField(context, form, typed, replaced)
    return { answer, typed, status: context.response.status }
  }
  async function saveTexts(texts: Record<string, string>, slug = 'quote') {
    const form = (await findForm(db, slug)) ?? (await find())
    const shown = toSettingsTexts(form)
    const post = { ...shown, based_on: settingsVersionOf(form), ...texts }
    const context = open('/admin/x', { params: { form: slug }, post })
    const typed = await receiveForm(context, TEXTS, shown)
    const answer = await saveSettings(context, form, typed)
    return { answer, typed, status: context.response.status }
  }
  const changes = async () => (await page.activity()).map(({ action, summary }) => `${action}: ${summary}`)
  return { ...page, find, saveQuestion, saveTexts, changes }
}

test('a new question is added at the end, and the activity names it', async (t) => {
  const { find, saveQuestion, message, changes, woken } = await theForm(t)
  const { answer } = await saveQuestion(undefined, { type: 'email', name: 'email', label: 'Your email' })
  assert.equal(answerOf(answer), '303 /admin/forms/quote')
  assert.match(message()?.text ?? '', /Your email/)
  const { fields, version } = await find()
  assert.deepEqual(fields.at(-1)?.name, 'email')
  assert.equal(version, 2)
  assert.match((await changes())[0] ?? '', /^form\.changed: Added .*Your email.*Quote/)
  assert.deepEqual(woken, ['desk', 'planner', 'locale'])
})

test('a changed question stays in its place', async (t) => {
  const { find, saveQuestion, message, changes } = await theForm(t)
  const { answer } = await saveQuestion('full_name', { label: 'Full name', required: 'on' })
  assert.equal(answerOf(answer), '303 /admin/forms/quote')
  assert.match(message()?.text ?? '', /Full name[^ ]*( \w+)?\.$/)
  const [first] = (await find()).fields
  assert.deepEqual([first?.name, first?.label, first?.required], ['full_name', 'Full name', true])
  assert.match((await changes())[0] ?? '', /^form\.changed: Changed .*Full name.*Quote/)
})

test('another type asks for its settings before anything is saved', async (t) => {
  const { find, saveQuestion } = await theForm(t)
  const { answer, status } = await saveQuestion('full_name', { type: 'number', step: 'type' })
  assert.deepEqual([answer, status], [undefined, 200])
  assert.equal((await find()).fields[0]?.type, 'text')
})

test('mistakes are shown at the inputs of the question', async (t) => {
  const { db, saveQuestion } = await theForm(t)
  const inputsOf = async (replaced: string | undefined, texts: Record<string, string>) => {
    const { answer, typed, status } = await saveQuestion(replaced, texts)
    assert.deepEqual([answer, status], [undefined, 422])
    return Object.keys(typed.errors)
  }
  assert.deepEqual(await inputsOf('building', { label: '' }), ['label'])
  assert.deepEqual(await inputsOf(undefined, { name: '1x', label: 'X' }), ['name'])
  // An invalid choice or file type is shown at the whole list.
  assert.deepEqual(await inputsOf('building', { options: 'House/\nOffice/' }), ['options'])
  const twelve = Array.from({ length: 12 }, (_, at) => `Choice ${at}`)
  assert.deepEqual(await inputsOf('building', { options: [...twelve, 'Last/'].join('\n') }), ['options'])
  const accept = { type: 'file', name: 'photo', label: 'Photo', 'validation.accept': 'image/png, nope' }
  assert.deepEqual(await inputsOf(undefined, accept), ['validation.accept'])
  const lengths = { 'validation.min_length': '9', 'validation.max_length': '3' }
  assert.deepEqual(await inputsOf('full_name', lengths), ['validation.min_length'])
  // The hidden spam trap has this name.
  assert.deepEqual(await inputsOf('full_name', { name: 'company_website' }), ['name'])
  assert.equal((await findForm(db, 'quote'))?.version, 1)
})

test('a question that someone else changed in the meantime is not saved', async (t) => {
  const { find, saveQuestion } = await theForm(t)
  const old = fieldVersion(await find(), 'full_name')
  // Another question doesn't matter.
  await saveQuestion('building', { label: 'House or office' })
  assert.equal(
    answerOf((await saveQuestion('full_name', { label: 'A', based_on: old })).answer).slice(0, 3),
    '303',
  )
  const late = await saveQuestion('full_name', { label: 'B', based_on: old })
  assert.equal(late.status, 409)
  assert.equal((await find()).fields[0]?.label, 'A')
})

test('a new key names the webhooks and emails that use the former one', async (t) => {
  const { db, app, find, saveQuestion, message } = await theForm(t)
  await saveQuestion('building', { name: 'house' })
  assert.doesNotMatch(message()?.text ?? '', /old key/)
  const definition = { name: 'CRM', url: 'https://a.example', payload_template: { a: '{{full_name}}' } }
  const { secretBox } = app
  await addWebhook(db, (await find()).id, webhookDefinition.parse(definition), { secretBox, now: new Date() })
  const { settings } = await find()
  const notifications = [{ to: ['office@example.com'], subject: '{{full_name}}' }]
  await storeForm(db, 'quote', { ...FILE, settings: { ...settings, notifications } })
  await saveQuestion('full_name', { label: 'Your name', name: ' full_name ' })
  assert.doesNotMatch(message()?.text ?? '', /old key/)
  await saveQuestion('full_name', { name: 'whole_name' })
  assert.match(message()?.text ?? '', /\. The old key “full_name” is .*CRM.*office@example\.com/)
})

test('the settings of a form are saved with its address', async (t) => {
  const { db, saveTexts, message, changes, woken } = await theForm(t)
  const { answer } = await saveTexts({ name: 'Get a quote', slug: ' get-a-quote ' })
  assert.equal(answerOf(answer), '303 /admin/forms/get-a-quote/settings')
  assert.equal(message()?.kind, 'success')
  const form = await findForm(db, 'get-a-quote')
  assert.deepEqual([form?.name, await findForm(db, 'quote')], ['Get a quote', undefined])
  assert.match((await changes())[0] ?? '', /^form\.changed: .*Get a quote/)
  assert.ok(woken.includes('planner'))
  // Without an address, it keeps its own.
  assert.match(answerOf((await saveTexts({ slug: ' ' }, 'get-a-quote')).answer), /get-a-quote/)
})

test('a built-in form keeps its address', async (t) => {
  const { saveTexts } = await theForm(t)
  const { answer } = await saveTexts({ slug: 'other', name: 'List' }, 'waitlist')
  assert.equal(answerOf(answer), '303 /admin/forms/waitlist/settings')
})

test('no page changes if only the recipient does', async (t) => {
  const { saveTexts, changes, woken } = await theForm(t)
  await saveTexts({ 'settings.notification_email': 'office@example.com' })
  assert.deepEqual(woken, ['desk'])
  await saveTexts({ 'settings.notification_email': 'ann@example.com', 'settings.submit_label': 'Go' })
  await saveTexts({ status: 'draft' })
  assert.deepEqual(
    (await changes()).map((change) => change.split(':')[0]),
    ['form.changed', 'form.changed', 'form.emails_changed'],
  )
})

test('mistakes of the settings are shown, and what someone else saved stays', async (t) => {
  const { db, find, saveTexts } = await theForm(t)
  await storeForm(db, 'taken')
  const old = settingsVersionOf(await find())
  for (const [texts, input] of [
    [{ name: '' }, 'name'],
    [{ slug: 'taken' }, 'slug'],
    [{ 'settings.notification_email': 'x' }, 'settings.notification_email'],
  ] as const) {
    const { answer, typed, status } = await saveTexts(texts)
    assert.deepEqual([answer, status, Object.keys(typed.errors)], [undefined, 422, [input]])
  }
  await saveTexts({ name: 'First' })
  assert.equal((await saveTexts({ name: 'Late', based_on: old })).status, 409)
  assert.equal((await find()).name, 'First')
})

test('only so many leads of a form are counted', () => {
  assert.deepEqual([0, 1_204, 10_000].map(describeCount), ['0', '1,204', '10,000'])
  assert.match(describeCount(10_001), /^more than 10,000$/i)
})
