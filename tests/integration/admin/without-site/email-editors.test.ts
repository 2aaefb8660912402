import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type EmailEditor, findEntryOfPage, receiveEntry } from '#src/admin/emails/save-entry.ts'
import { type ReplyEditor, receiveReply } from '#src/admin/emails/save-reply.ts'
import { findForm } from '#src/forms/form-store.ts'
import { anAdminPage, answerOf } from '../../../support/admin-page.ts'
import { storeForm } from '../../../support/forms.ts'
import { addPlaces } from '../../../support/small-site.ts'

const ENTRY = { to: 'office@example.com', subject: '', template: '', match: 'always', fire_on: '' }
const RULE = { match: 'all', rule_field: ['meta.location_slug'], rule_op: ['eq'] }
const REPLY = { enabled: 'on', subject: 'Thanks', text: 'Hi {{full_name}}', reply_to: '' }

interface SentMail {
  recipient: string
  subject: string
  text: string
}

/** The emails of a form that asks for a name and an address. */
async function theEmails(
  t: TestContext,
  { failure, hasMail = true }: { failure?: string; hasMail?: boolean } = {},
) {
  const sent: SentMail[] = []
  const accountMail = async (mail: SentMail) => {
    sent.push(mail)
    return failure === undefined ? { kind: 'sent' } : { kind: 'failed', message: failure }
  }
  const page = await anAdminPage(t, { app: hasMail ? { accountMail } : {} })
  const { db, open } = page
  const fields = [
    { name: 'full_name', label: 'Name' },
    { name: 'email', type: 'email' as const, label: 'Email' },
  ]
  const notifications = [{ to: ['a@example.com'] }, { to: ['b@example.com'], subject: 'B' }]
  await storeForm(db, 'quote', { name: 'Quote', fields, settings: { notifications } })
  const settings = async () => (await findForm(db, 'quote'))?.settings
  async function edit(entry: string | undefined, post?: Record<string, string | readonly string[]>) {
    const params = { form: 'quote', ...(entry !== undefined && { entry }) }
    const context = open('/admin/x', { params, ...(post && { post: { ...ENTRY, ...post } }) })
    const answer = await receiveEntry(context)
    return { answer, editor: answer as EmailEditor, response: context.response }
  }
  async function reply(post?: Record<string, string>) {
    const form = await findForm(db, 'quote')
    assert.ok(form)
    const context = open('/admin/x', { params: { form: 'quote' }, ...(post && { post }) })
    const answer = await receiveReply(context, form)
    return { answer, editor: answer as ReplyEditor, response: context.response }
  }
  const recipients = async () => (await settings())?.notifications?.map(({ to }) => to.join())
  return { ...page, sent, edit, reply, settings, recipients }
}

test('recipients are added, changed, and recorded', async (t) => {
  const { edit, recipients, message, activity, woken } = await theEmails(t)
  const blank = (await edit(undefined)).editor
  assert.deepEqual([blank.index, blank.input.to, blank.trial], [undefined, '', undefined])
  const { answer } = await edit(undefined, {})
  assert.equal(answerOf(answer), '303 /admin/forms/quote/emails')
  assert.equal(message()?.kind, 'success')
  assert.deepEqual(await recipients(), ['a@example.com', 'b@example.com', 'office@example.com'])
  const shown = (await edit('1')).editor
  assert.deepEqual([shown.index, shown.input.to, shown.input.subject], [1, 'b@example.com', 'B'])
  await edit('1', { to: 'c@example.com\nd@example.com', based_on: shown.basedOn ?? '' })
  // It was the newest state.
  assert.equal((await recipients())?.[1], 'c@example.com,d@example.com')
  const entries = await activity()
  assert.deepEqual(
    entries.map(({ action, summary }) => [action, /\bQuote$/.test(summary)]),
    [
      ['form.emails_changed', true],
      ['form.emails_changed', true],
    ],
  )
  assert.deepEqual(woken, ['desk', 'desk'])
})

test('recipients that someone else changed in the meantime are not saved', async (t) => {
  const { edit, recipients } = await theEmails(t)
  const { basedOn = '' } = (await edit('0')).editor
  await edit('1', { to: 'c@example.com' })
  const { editor, response } = await edit('0', { to: 'late@example.com', based_on: basedOn })
  assert.equal(response.status, 409)
  assert.ok(editor.errors[''])
  assert.equal(editor.input.to, 'late@example.com')
  assert.deepEqual(await recipients(), ['a@example.com', 'c@example.com'])
})

test('mistakes are shown at their inputs', async (t) => {
  const { edit, recipients } = await theEmails(t)
  const before = await recipients()
  for (const [posted, input] of [
    [{ to: 'nobody' }, 'to'],
    [{ template: '{{nope}}' }, 'template'],
    [{ subject: '{{nope}}' }, 'subject'],
    [{ match: 'json', fire_on: '{' }, 'fire_on'],
    [{ ...RULE, rule_value: ['New York'] }, 'rules'],
    [{ match: 'all', rule_field: ['nope'], rule_op: ['eq'], rule_value: ['x'] }, 'rules'],
  ] as const) {
    const { editor, response } = await edit(undefined, posted)
    assert.deepEqual([response.status, Object.keys(editor.errors)], [422, [input]], JSON.stringify(posted))
  }
  assert.deepEqual(await recipients(), before)
})

test('rows are added and removed without saving or checking anything', async (t) => {
  const { edit, recipients } = await theEmails(t)
  const before = await recipients()
  const { editor, response } = await edit('1', { to: 'nobody', template: 'Hi', act: 'rule-add' })
  assert.deepEqual([response.status, editor.errors], [200, {}])
  assert.deepEqual([editor.index, editor.input.to, editor.input.text], [1, 'nobody', 'Hi'])
  assert.deepEqual([editor.input.match, editor.input.rules.length], ['all', 1])
  assert.deepEqual(await recipients(), before)
})

test('places of conditions are stored by slug and shown by name', async (t) => {
  const { db, edit, settings } = await theEmails(t)
  await addPlaces(db, 'fort-worth')
  await edit('0', { ...RULE, rule_value: ['FORT WORTH'] })
  const condition = { all: [{ field: 'meta.location_slug', op: 'eq', value: 'fort-worth' }] }
  assert.deepEqual((await settings())?.notifications?.[0]?.when, condition)
  assert.equal((await edit('0')).editor.input.rules[0]?.value, 'Fort Worth')
})

test('only entries of the form are found', async (t) => {
  const { edit, open } = await theEmails(t)
  for (const entry of ['2', '-1', '1.5', 'x1', '1x', '0001', '']) {
    const { answer } = await edit(entry)
    assert.equal(answerOf(answer), '404', entry)
  }
  const found = (params: Record<string, string>) => findEntryOfPage(open('/admin/x', { params }))
  assert.equal((await found({ form: 'quote' }))?.index, undefined)
  assert.equal((await found({ form: 'quote' }))?.form.slug, 'quote')
  assert.deepEqual(
    [await found({ form: 'gone' }), await found({ form: 'gone', entry: '0' })],
    [undefined, undefined],
  )
})

test('an unsaved email is previewed, and tested by sending it to the user', async (t) => {
  const { edit, sent, recipients, activity } = await theEmails(t)
  const before = await recipients()
  const unsaved = { subject: 'New: {{full_name}}', template: 'A lead' }
  const preview = await edit(undefined, { ...unsaved, act: 'preview' })
  assert.match(preview.editor.trial?.mail.subject ?? '', /^New: ./)
  assert.ok(!preview.editor.trial?.test)
  // The page may show the email as it looks.
  assert.match(preview.response.headers.get('content-security-policy') ?? '', /./)
  assert.deepEqual([sent, await activity()], [[], []])
  const { editor } = await edit(undefined, { ...unsaved, act: 'test' })
  assert.equal(editor.trial?.test?.kind, 'success')
  assert.match(editor.trial?.test?.text ?? '', /ann@example\.com/)
  const [mail] = sent
  assert.equal(mail?.recipient, 'ann@example.com')
  assert.match(mail?.subject ?? '', /^Test: New: ./)
  assert.match(mail?.text ?? '', /A lead/)
  const [entry] = await activity()
  assert.deepEqual([entry?.action, /\bQuote$/.test(entry?.summary ?? '')], ['form.email_tested', true])
  assert.deepEqual(await recipients(), before)
  // An invalid one isn't tried.
  assert.equal((await edit(undefined, { to: 'x', act: 'test' })).editor.trial, undefined)
  assert.equal(sent.length, 1)
})

test('a failed test says why, and is not recorded', async (t) => {
  const { edit, activity } = await theEmails(t, { failure: 'The mailbox is full.' })
  const { editor } = await edit(undefined, { act: 'test' })
  assert.equal(editor.trial?.test?.kind, 'error')
  assert.match(editor.trial?.test?.text ?? '', /The mailbox is full\.$/)
  assert.deepEqual(await activity(), [])
  const offline = await theEmails(t, { hasMail: false })
  const { trial } = (await offline.edit(undefined, { act: 'test' })).editor
  assert.ok(trial && !trial.test)
})

test('a reply is saved, changed, and turned off', async (t) => {
  const { reply, settings, message, activity, woken } = await theEmails(t)
  const blank = (await reply()).editor.form
  assert.deepEqual([blank.values.enabled, blank.values.subject], ['', ''])
  const { answer } = await reply({ ...REPLY, reply_to: 'ann@example.com' })
  assert.equal(answerOf(answer), '303 /admin/forms/quote/emails')
  const { subject, text } = REPLY
  assert.deepEqual((await settings())?.reply, { subject, text, reply_to: 'ann@example.com' })
  const on = message()
  assert.deepEqual((await reply()).editor.form.values, {
    ...{ enabled: 'on', subject, text, reply_to: 'ann@example.com' },
    based_on: (await reply()).editor.form.basedOn,
  })
  await reply({ ...REPLY, reply_to: '' })
  assert.deepEqual((await settings())?.reply, { subject, text })
  assert.equal((await reply()).editor.form.values.reply_to, '')
  message()
  await reply({ enabled: '' })
  assert.equal((await settings())?.reply, undefined)
  assert.notDeepEqual(message(), on)
  const entries = await activity()
  assert.deepEqual(
    entries.map(({ action, summary }) => [action, /\bQuote$/.test(summary)]),
    Array(3).fill(['form.emails_changed', true]),
  )
  assert.deepEqual(woken, Array(3).fill('desk'))
})

test('texts of a reply that is off would be lost, so they are refused', async (t) => {
  const { reply, settings } = await theEmails(t)
  for (const typed of [{ subject: 'Thanks' }, { text: 'Hi' }, { reply_to: 'ann@example.com' }]) {
    const { editor, response } = await reply({ enabled: '', ...typed })
    assert.deepEqual([response.status, Object.keys(editor.form.errors)], [422, ['enabled']])
  }
  assert.equal(answerOf((await reply({ enabled: '', subject: ' ' })).answer), '303 /admin/forms/quote/emails')
  await reply(REPLY)
  assert.equal(answerOf((await reply({ ...REPLY, enabled: '' })).answer).slice(0, 3), '303')
  assert.equal((await settings())?.reply, undefined)
})

test('mistakes of a reply are shown at their inputs', async (t) => {
  const { reply, settings } = await theEmails(t)
  for (const [posted, input] of [
    [{ subject: '' }, 'subject'],
    [{ text: '{{nope}}' }, 'text'],
    [{ reply_to: 'ann' }, 'reply_to'],
  ] as const) {
    const { editor, response } = await reply({ ...REPLY, ...posted })
    assert.deepEqual([response.status, Object.keys(editor.form.errors)], [422, [input]])
  }
  const { basedOn = '' } = (await reply()).editor.form
  await reply(REPLY)
  const late = await reply({ ...REPLY, subject: 'Late', based_on: basedOn })
  assert.equal(late.response.status, 409)
  assert.equal((await settings())?.reply?.subject, REPLY.subject)
})

test('an unsaved reply is previewed, and tested, while it is off', async (t) => {
  const { reply, sent, settings } = await theEmails(t)
  const { editor } = await reply({ ...REPLY, enabled: '', act: 'preview' })
  assert.equal(editor.trial?.mail.subject, REPLY.subject)
  assert.match(editor.trial?.mail.text ?? '', /^Hi (?!\{)./)
  assert.deepEqual(sent, [])
  await reply({ ...REPLY, enabled: '', act: 'test' })
  assert.deepEqual(
    sent.map(({ recipient, subject }) => [recipient, subject]),
    [['ann@example.com', 'Test: Thanks']],
  )
  assert.equal((await settings())?.reply, undefined)
})
