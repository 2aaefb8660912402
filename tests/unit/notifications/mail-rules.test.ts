import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_RENAMED } from '#src/conditions/condition-slugs.ts'
import {
  conditionsOfMails,
  findCatchAll,
  findRuleFor,
  listRecipients,
  type MailRule,
  notifiesAnyone,
} from '#src/notifications/mail-rules.ts'

const CLARE: MailRule = {
  to: ['clare@example.com', 'ennis@example.com'],
  when: { field: 'meta.location_slug', op: 'within', value: 'clare' },
  subject: 'Clare',
}
const BIG: MailRule = {
  to: ['boss@example.com', 'CLARE@example.com'],
  when: { field: 'budget', op: 'gte', value: 500 },
}
const REST: MailRule = { to: ['hq@example.com'], fallback: true }

const lead = (answers: Record<string, number>, path = 'ireland/clare/ennis') => ({
  answers,
  meta: { location_slug: path.split('/').at(-1) ?? '', location_path: path },
  renamed: NOTHING_RENAMED,
})
const ENNIS = lead({ budget: 1 })
const BIG_IN_CORK = lead({ budget: 900 }, 'ireland/cork')
const CORK = lead({ budget: 1 }, 'ireland/cork')

test('contract §8: each matching entry notifies its addresses, or the fallback if none matches', () => {
  const settings = { notifications: [CLARE, BIG, REST] }
  assert.deepEqual(listRecipients(settings, ENNIS), ['clare@example.com', 'ennis@example.com'])
  assert.deepEqual(listRecipients(settings, BIG_IN_CORK), ['boss@example.com', 'CLARE@example.com'])
  assert.deepEqual(listRecipients(settings, CORK), ['hq@example.com'])
})

test('an address in several entries is notified once', () => {
  const both = listRecipients({ notifications: [CLARE, BIG] }, lead({ budget: 900 }))
  assert.deepEqual(both.map((address) => address.toLowerCase()).sort(), [
    'boss@example.com',
    'clare@example.com',
    'ennis@example.com',
  ])
})

test('§2.1 notification_email is an entry without conditions, so that no fallback applies', () => {
  const settings = { notification_email: 'all@example.com', notifications: [CLARE, REST] }
  assert.deepEqual(listRecipients(settings, CORK), ['all@example.com'])
  assert.deepEqual(listRecipients({ notification_email: null, notifications: null }, CORK), [])
})

test('an unreadable condition doesn’t match', () => {
  const broken = { to: ['x@example.com'], when: { field: 'budget', op: 'later', value: 1 } }
  assert.deepEqual(listRecipients({ notifications: [broken, REST] }, CORK), ['hq@example.com'])
})

test('an email has the texts of the entry that notifies its address', () => {
  const other = { ...BIG, to: ['clare@example.com'], subject: 'Big' }
  const settings = { notifications: [other, CLARE] }
  assert.equal(findRuleFor(settings, ENNIS, 'Clare@example.com')?.subject, 'Clare')
  assert.equal(findRuleFor(settings, BIG_IN_CORK, 'clare@example.com')?.subject, 'Big')
  // The entry was changed since the mail was planned.
  assert.equal(findRuleFor(settings, CORK, 'clare@example.com')?.subject, 'Big')
  assert.equal(findRuleFor(settings, CORK, 'gone@example.com'), undefined)
})

test('a form sends notifications if it has an address or an entry', () => {
  assert.equal(notifiesAnyone({}), false)
  assert.equal(notifiesAnyone({ notifications: [] }), false)
  assert.equal(notifiesAnyone({ notification_email: 'a@example.com' }), true)
  assert.equal(notifiesAnyone({ notifications: [REST] }), true)
})

test('the first entry without a condition gets every lead, and a fallback never does', () => {
  const all = { to: ['all@example.com'] }
  for (const [settings, expected] of [
    [{}, undefined],
    [{ notification_email: 'first@example.com', notifications: [all] }, ['first@example.com']],
    [{ notifications: [CLARE, REST] }, undefined],
    [{ notifications: [CLARE, REST, all] }, all.to],
    [{ notifications: [{ ...all, when: null }] }, all.to],
    [{ notifications: [{ ...all, when: {} as never }] }, all.to],
    [{ notification_email: '', notifications: null }, undefined],
  ] as const)
    assert.deepEqual(findCatchAll(settings), expected, JSON.stringify(settings))
})

test('the conditions of a form’s recipients leave out unreadable and missing ones', () => {
  const broken = { to: ['x@example.com'], when: { field: 'budget', op: 'later', value: 1 } }
  assert.deepEqual(conditionsOfMails({ notifications: [CLARE, broken, REST, BIG] }), [CLARE.when, BIG.when])
  assert.deepEqual(conditionsOfMails({ notifications: null }), [])
})
