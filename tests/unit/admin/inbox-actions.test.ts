import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listBulkActions, progressActions } from '#src/admin/inbox/bulk/bulk-actions.ts'
import { describeSorted, sortingsOf } from '#src/admin/inbox/bulk/sortings.ts'
import type { InboxTab } from '#src/admin/inbox/inbox-query.ts'
import type { Administrator } from '#src/auth/administrator.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'

const ANN: Administrator = {
  ...{ id: 4, email: 'ann@example.com', name: null, role: 'owner', limits: NO_LIMITS },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', lastSignedInAt: null, disabledAt: null },
  ...{ isInvited: false, hasTwoFactors: false, hasPasskeys: false },
}
const BEN = { ...ANN, id: 5, name: 'Ben', limits: { places: [7], forms: null } }
const CHOICES = { stages: [{ slug: 'won', name: 'Won' }], people: [ANN, BEN] }
const CHANGED = { count: 2, sending: 0, sentBefore: 0 }

test('each tab has the status changes that do something there', () => {
  const of = (tab: InboxTab) => sortingsOf(tab).map(({ value }) => value)
  assert.deepEqual(of(''), ['read', 'unread', 'archive', 'spam'])
  assert.deepEqual(of('new'), ['read', 'archive', 'spam'])
  assert.deepEqual(of('read'), ['unread', 'archive', 'spam'])
  assert.deepEqual(of('archived'), ['restore', 'spam'])
  assert.deepEqual(of('spam'), ['not_spam'])
  assert.deepEqual(of('all'), ['read', 'unread', 'archive', 'restore', 'spam', 'not_spam'])
})

test('only users who may delete leads can delete all of a list', () => {
  const actionsOf = (user: Administrator, tab: InboxTab) =>
    listBulkActions({ user, tab, ...CHOICES }).map(({ value, action }) => `${value}: ${action}`)
  const progress = [
    'stage.won: submission.progressed',
    'assignee.: submission.progressed',
    'assignee.4: submission.progressed',
    'assignee.5: submission.progressed',
  ]
  const archived = ['restore: submission.restore', 'spam: submission.spam', ...progress]
  assert.deepEqual(actionsOf(ANN, 'archived'), [...archived, 'delete: submission.deleted'])
  assert.deepEqual(actionsOf({ ...ANN, role: 'office' }, 'archived'), archived)
  // Spam has no stage and no assignee.
  assert.deepEqual(actionsOf(ANN, 'spam'), ['not_spam: submission.not_spam', 'delete: submission.deleted'])
})

test('each action asks, warns of its consequences, and says what it did', () => {
  const actions = listBulkActions({ user: ANN, tab: 'all', ...CHOICES })
  const shown = Object.fromEntries(
    actions.map((one) => [one.value, [one.label, one.question(2), one.warning, one.done(CHANGED)]]),
  )
  const { read, not_spam, delete: deletion, 'stage.won': won, 'assignee.': nobody } = shown
  assert.deepEqual(read, ['Mark as read', 'Mark 2 leads as read?', undefined, '2 leads marked as read.'])
  assert.match(not_spam?.[2] ?? '', /held back as spam will also be sent/)
  assert.match(not_spam?.[3] ?? '', /^2 leads marked as not spam\. There is nothing to send\.$/)
  assert.deepEqual(deletion?.slice(0, 2), ['Delete…', 'Delete 2 leads?'])
  assert.match(deletion?.[2] ?? '', /files, notes, deliveries/)
  assert.equal(deletion?.[3], '2 leads deleted.')
  assert.deepEqual(won, ['Change stage to Won', 'Move 2 leads to Won?', undefined, '2 leads moved to Won.'])
  assert.deepEqual(nobody, [
    'Remove assignee',
    'Remove the assignee from 2 leads?',
    undefined,
    '2 leads assigned to no one.',
  ])
  assert.deepEqual(shown['assignee.4'], [
    'Assign to ann@example.com',
    'Assign 2 leads to ann@example.com?',
    undefined,
    '2 leads assigned to ann@example.com.',
  ])
  const [assign, , kept] = shown['assignee.5'] ?? []
  assert.deepEqual(
    [assign, kept],
    ['Assign to Ben', 'Leads that this user can’t see will keep their assignee.'],
  )
})

test('a lead is given to a user within that user’s limits', () => {
  const { assignee } = progressActions({ tab: 'new', ...CHOICES })
  assert.deepEqual(
    assignee.map(({ change }) => change),
    [
      { kind: 'assign', assigneeId: null, limits: NO_LIMITS },
      { kind: 'assign', assigneeId: 4, limits: NO_LIMITS },
      { kind: 'assign', assigneeId: 5, limits: BEN.limits },
    ],
  )
})

test('a change of status or stage says which', () => {
  const actions = listBulkActions({ user: ANN, tab: 'archived', ...CHOICES })
  const changeOf = (value: string) => actions.find((one) => one.value === value)?.change
  assert.deepEqual(changeOf('restore'), { kind: 'sort', sorting: 'restore' })
  assert.deepEqual(changeOf('stage.won'), { kind: 'stage', stage: CHOICES.stages[0] })
  assert.deepEqual(changeOf('delete'), { kind: 'delete' })
})

test('a status change of no lead says so', () => {
  assert.equal(describeSorted('not_spam', { ...CHANGED, count: 0 }), 'No leads were changed.')
  assert.equal(describeSorted('archive', { ...CHANGED, count: 1 }), '1 lead archived.')
})
