import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { settingsVersionOf, toSettingsTexts } from '#src/forms/settings-input.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { basedOn, wordsOf } from '../../support/pages/read-page.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const FORM = '/admin/forms/waitlist'
const EVERY = { match: 'always', fire_on: '', act: 'save' }
const IN_DALLAS = {
  ...{ ...EVERY, match: 'all', rule_field: ['meta.location_slug'] },
  ...{ rule_op: ['within'], rule_value: ['Dallas'] },
}
const FALLBACK = { ...EVERY, match: 'fallback' }

type Leads = Record<string, string | string[]>

async function addRecipients(site: AdminSite, to: string, leads: Leads) {
  const answer = await site.post(`${FORM}/emails/new`, { to, subject: '', template: '', ...leads })
  assert.equal(answer.status, 303, await answer.text())
}

async function addWebhook(site: AdminSite, name: string, leads: Leads) {
  const parts = { name, url: 'https://a.example.com', method: 'POST', headers: '', template: '' }
  const answer = await site.post(`${FORM}/webhooks/new`, {
    ...parts,
    max_retries: '6',
    enabled: 'on',
    ...leads,
  })
  assert.equal(answer.status, 303, await answer.text())
}

async function saveSettings(site: AdminSite, changed: Record<string, string>) {
  const form = await findForm(site.app.db, 'waitlist')
  assert.ok(form)
  const texts = { ...toSettingsTexts(form), ...changed, based_on: settingsVersionOf(form) }
  assert.equal((await site.post(`${FORM}/settings`, texts)).status, 303)
}

async function badges(site: AdminSite): Promise<number> {
  const page = await site.open(`${FORM}/emails`)
  return page.whole.part('navigation', { name: 'Admin' }).queryAllByText('changes').length
}

test('recipients and webhooks say in words which leads they get', async (t) => {
  const site = await startAdmin(t)
  await addPlaces(site.app.db, 'testland/dallas')
  await addEntry(site.app.db, 'services', { slug: 'airship', title: 'Airship repair' })
  const service = {
    ...IN_DALLAS,
    rule_field: ['meta.service_slug'],
    rule_op: ['eq'],
    rule_value: ['Airship repair'],
  }
  const expected = {
    Dee: 'Leads from Dallas',
    Sam: 'Leads where the service is Airship repair',
    Rest: 'Leads with no other',
  }
  for (const [name, leads] of Object.entries({ Dee: IN_DALLAS, Sam: service, Rest: FALLBACK })) {
    await addRecipients(site, `${name}@example.com`, leads)
    await addWebhook(site, name, leads)
  }
  const list = (await site.open(`${FORM}/emails`)).part('list', { name: 'Notifications' })
  const items = list.getAllByRole('listitem').map(wordsOf)
  const rows = (await site.open(`${FORM}/webhooks`)).getAllByRole('row').slice(1).map(wordsOf)
  for (const [name, words] of Object.entries(expected)) {
    assert.match(items.find((item) => item.includes(`${name}@`)) ?? '', new RegExp(words), name)
    assert.match(rows.find((row) => row.startsWith(name)) ?? '', new RegExp(words), name)
  }
  assert.ok(!items.join().includes('Never used'))
  assert.ok(!rows.join().includes('Never used'))
})

test('a fallback that never applies says why', async (t) => {
  const site = await startAdmin(t)
  await addRecipients(site, 'rest@example.com', FALLBACK)
  await addWebhook(site, 'Rest', FALLBACK)
  await saveSettings(site, { 'settings.notification_email': 'boss@example.com' })
  await addWebhook(site, 'CRM', EVERY)
  const list = (await site.open(`${FORM}/emails`)).part('list', { name: 'Notifications' })
  const [single = '', rest = ''] = list.getAllByRole('listitem').map(wordsOf)
  assert.equal(single, 'boss@example.comEvery leadSubject: DefaultEdit in settings')
  assert.match(
    rest,
    /^rest@example\.comLeads with no other recipientNever used, because boss@example\.com gets every lead\./,
  )
  for (const path of [`${FORM}/webhooks`, '/admin/webhooks'])
    (await site.open(path)).getByText('Never used, because “CRM” sends every lead.')
})

test('changes of emails leave the publish badge alone, other settings set it', async (t) => {
  const site = await startAdmin(t)
  await addRecipients(site, 'a@example.com', EVERY)
  await site.post(`${FORM}/emails/0/removal`, {
    based_on: basedOn(await site.open(`${FORM}/emails/0/removal`)),
  })
  const reply = { enabled: 'on', subject: 'Thanks', text: 'Thank you', reply_to: '' }
  const path = `${FORM}/emails/reply`
  assert.equal((await site.post(path, { ...reply, based_on: basedOn(await site.open(path)) })).status, 303)
  await saveSettings(site, { 'settings.notification_email': 'boss@example.com' })
  assert.equal(await badges(site), 0)
  await saveSettings(site, { 'settings.submit_label': 'Send now' })
  assert.equal(await badges(site), 1)
})
