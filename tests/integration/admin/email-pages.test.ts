import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { basedOn, readAnswer } from '../../support/pages/read-page.ts'
import { messageOf } from '../../support/pages/told.ts'
import { addPlaces } from '../../support/small-site.ts'

const EMAILS = '/admin/forms/waitlist/emails'

const entry = (values: Record<string, string | string[]>) => ({
  ...{ to: 'clare@example.com\nennis@example.com', subject: '', template: '', act: 'save' },
  ...{ match: 'always', fire_on: '' },
  ...values,
})
const RULE = {
  match: 'all',
  rule_field: ['meta.location_slug'],
  rule_op: ['within'],
  rule_value: ['clare'],
}

test('contract §8: notifications and the reply are edited in the admin', async (t) => {
  const site = await startAdmin(t)
  const settings = async () => (await findForm(site.app.db, 'waitlist'))?.settings
  const versionAt = async (path: string) => ({ based_on: basedOn(await site.open(path)) })

  await t.test('without a mail server, and without recipients, the page says so', async () => {
    const page = await site.open(EMAILS)
    for (const path of [EMAILS, `${EMAILS}/new`, `${EMAILS}/reply`])
      (await site.open(path)).getByText(/Set SMTP_URL and MAIL_FROM/)
    page.getByText('No one gets emails about new leads.')
    page.getByText('Visitors don’t get a reply.')
  })

  await t.test('errors are shown at their fields, and nothing is saved', async () => {
    const wrong = entry({
      to: 'hq@example.com\nnobody',
      subject: '{{nope}}',
      template: '{{meta.nope}}',
      ...RULE,
    })
    const page = await readAnswer(await site.post(`${EMAILS}/new`, wrong), 422)
    page.getByRole('textbox', {
      name: /^Email addresses/,
      description: /“nobody” is not a valid email address\./,
    })
    const named = entry({ subject: '{{nope}}', template: '{{meta.nope}}', match: 'json', fire_on: '{' })
    const second = await readAnswer(await site.post(`${EMAILS}/new`, named), 422)
    second.getByText(/Not valid JSON/)
    const third = await readAnswer(await site.post(`${EMAILS}/new`, { ...named, match: 'always' }), 422)
    third.getByRole('textbox', { name: /^Subject/, description: /Unknown reference "nope"/ })
    third.getByRole('textbox', { name: /^Text/, description: /Unknown reference "meta.nope"/ })
    assert.equal((await settings())?.notifications, undefined)
  })

  await t.test('an entry has recipients, conditions, and texts; another is the fallback', async () => {
    const added = entry({ subject: '{{meta.location_name}}: {{full_name}}', ...RULE })
    assert.equal((await site.post(`${EMAILS}/new`, added)).status, 303)
    const rest = entry({ to: 'hq@example.com', match: 'fallback' })
    assert.equal((await site.post(`${EMAILS}/new`, rest)).status, 303)
    assert.deepEqual((await settings())?.notifications, [
      {
        to: ['clare@example.com', 'ennis@example.com'],
        subject: '{{meta.location_name}}: {{full_name}}',
        when: { all: [{ field: 'meta.location_slug', op: 'within', value: 'clare' }] },
      },
      { to: ['hq@example.com'], fallback: true },
    ])
    const page = await site.open(EMAILS)
    page.getByText('Leads from clare')
    page.getByText('Leads with no other recipient')
  })

  await t.test('an unknown place in the conditions is reported in the editor', async () => {
    const unknown = await site.open(`${EMAILS}/0`)
    unknown.getByText(/^The conditions use “clare”, but no place has this address\./)
    await addPlaces(site.app.db, 'ireland/clare')
    const warnings = (await site.open(`${EMAILS}/0`)).queryAllByText(/no place has this address/)
    assert.deepEqual(warnings, [])
  })

  await t.test('an entry is changed unless someone else changed it meanwhile', async () => {
    const path = `${EMAILS}/0`
    const shown = await site.open(path)
    assert.equal(shown.valueOf('Email addresses'), 'clare@example.com\nennis@example.com')
    const version = { based_on: basedOn(shown) }
    assert.equal((await site.post(path, { ...entry({ to: 'a@example.com' }), ...version })).status, 303)
    assert.equal((await site.post(path, { ...entry({ to: 'b@example.com' }), ...version })).status, 409)
    assert.deepEqual((await settings())?.notifications?.[0], { to: ['a@example.com'] })
    const more = await readAnswer(await site.post(path, { ...entry({ act: 'rule-add' }), ...version }))
    more.getByRole('combobox', { name: 'Condition 1: field' })
  })

  await t.test('an entry is removed after a confirmation', async () => {
    const path = `${EMAILS}/0/removal`
    const page = await site.open(path)
    page.getByRole('heading', { name: 'Stop emailing a@example.com?' })
    assert.equal((await site.post(path, { based_on: basedOn(page) })).status, 303)
    assert.deepEqual((await settings())?.notifications, [{ to: ['hq@example.com'], fallback: true }])
    assert.equal((await site.post(path, { based_on: basedOn(page) })).status, 409)
    assert.equal((await site.fetch(`${EMAILS}/1`)).status, 404)
  })

  await t.test('the reply is off until it is saved, and off again', async () => {
    const path = `${EMAILS}/reply`
    const wrong = { enabled: 'on', subject: '', text: '{{nope}}', reply_to: 'x' }
    const page = await readAnswer(await site.post(path, { ...wrong, ...(await versionAt(path)) }), 422)
    page.getByRole('textbox', { name: /^Subject/, description: /Enter text/ })
    page.getByRole('textbox', { name: /^Reply-to address/, description: /Enter an email address/ })
    const right = { enabled: 'on', subject: 'Thank you', text: 'Hello {{full_name}}', reply_to: '' }
    assert.equal((await site.post(path, { ...right, ...(await versionAt(path)) })).status, 303)
    assert.deepEqual((await settings())?.reply, { subject: 'Thank you', text: 'Hello {{full_name}}' })
    ;(await site.open(EMAILS)).getByText('Visitors get an email with the subject “Thank you”.')
    const off = { ...right, enabled: '' }
    assert.equal((await site.post(path, { ...off, ...(await versionAt(path)) })).status, 303)
    assert.equal((await settings())?.reply, undefined)
    // Typed texts would be lost.
    const kept = await readAnswer(await site.post(path, { ...off, ...(await versionAt(path)) }), 422)
    kept.getByRole('checkbox', { name: /^Reply to visitors/, description: /Select this checkbox/ })
    assert.equal(kept.valueOf('Subject'), 'Thank you')
    const none = { ...off, subject: '', text: '' }
    const answer = await site.post(path, { ...none, ...(await versionAt(path)) })
    assert.equal(messageOf(answer), 'The automatic reply is off.')
  })

  await t.test('the form’s versions name who saved these emails', async () => {
    const versions = await site.open('/admin/forms/waitlist/versions')
    assert.equal(versions.queryAllByText('Unknown').length, 0)
    assert.ok(versions.queryAllByText('ann@example.com').length >= 5)
  })
})
