import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFilter } from '#src/admin/inbox/filters/describe-filter.ts'
import {
  addressOf,
  FILTER_FORM,
  hasName,
  mayChange,
  parametersOf,
} from '#src/admin/inbox/filters/filter-form.ts'
import { inboxAddress, readInboxQuery } from '#src/admin/inbox/inbox-query.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'

const FORMS = [{ id: 3, slug: 'quote', name: 'Get a quote', unread: 0 }] as never
const STAGES = [{ slug: 'won', name: 'Won', replaces: ['sold'] }]
const PEOPLE = [
  { id: 4, name: null, email: 'ann@example.com' },
  { id: 5, name: 'Ben', email: 'ben@example.com' },
]
const secretBox = createSecretBox(new Uint8Array(32))

const queryOf = (parameters: Record<string, string>) =>
  readInboxQuery(new URLSearchParams(parameters), {
    ...{ forms: FORMS, stages: STAGES, scope: EVERY_LEAD, timeZone: 'UTC', secretBox },
  })

const describe = (parameters: Record<string, string>) =>
  describeFilter(queryOf(parameters), { forms: FORMS, stages: STAGES, people: PEOPLE }).map(
    ({ label, value }) => `${label}: ${value}`,
  )

const EVERY = {
  ...{ status: 'archived', form: 'quote', location: 'Austin', from: '2026-11-01', until: '2026-11-20' },
  ...{ source: 'ads:google', stage: 'sold', assignee: '5' },
}

test('a list without filters is of its tab, the inbox for an unknown one', () => {
  assert.deepEqual(describe({}), ['Lead status: Inbox'])
  const { tab, isNarrowed, filter } = queryOf({ status: 'deleted' })
  assert.deepEqual([tab, isNarrowed, filter.statuses], ['', false, ['new', 'read']])
  assert.deepEqual(queryOf({ status: 'all' }).filter.statuses, ['new', 'read', 'archived', 'spam'])
})

test('every filter is described in words', () => {
  assert.deepEqual(describe({ ...EVERY, q: 'leak' }), [
    'Lead status: Archived',
    'Search: leak',
    'Form: Get a quote',
    'Place: Austin',
    'Stage: Won',
    'Assigned to: Ben',
    'Source: Google Ads',
    'From: 2026-11-01',
    'To: 2026-11-20',
  ])
})

test('what a filter names may be gone, and invalid values are ignored', () => {
  assert.deepEqual(describe({ assignee: '4' }).slice(1), ['Assigned to: ann@example.com'])
  assert.deepEqual(describe({ assignee: '9', form: 'old' }).slice(1), [
    'Form: Deleted form',
    'Assigned to: Another user',
  ])
  assert.deepEqual(
    describe({ stage: 'lost', from: 'soon', until: '2026-02-30', assignee: '1.5' }).slice(1),
    [],
  )
})

test('a filter selects by the IDs and slugs of what it names', () => {
  const { filter, isNarrowed } = queryOf(EVERY)
  assert.equal(isNarrowed, true)
  assert.deepEqual(
    [filter.formId, filter.stages, filter.assigneeId, filter.source, filter.location],
    [3, ['won', 'sold'], 5, 'ads:google', 'Austin'],
  )
  // A form that is gone has no leads; without a form, the list has those of all forms.
  assert.deepEqual([queryOf({ form: 'old' }).filter.formId, queryOf({}).filter.formId], [0, undefined])
  const page = 'older~2026-11-20T10:00:00.000Z~7'
  assert.deepEqual(queryOf({ page }).cursor, {
    ...{ direction: 'older', submittedAt: '2026-11-20T10:00:00.000Z', id: 7 },
  })
  assert.equal(queryOf({ assignee: '9'.repeat(16) }).filter.assigneeId, undefined)
})

test('a saved filter keeps the tab and the fields, and never the search words', () => {
  const parameters = parametersOf(queryOf({ ...EVERY, q: 'ann@example.com' }))
  assert.deepEqual(parameters, EVERY)
  assert.deepEqual(parametersOf(queryOf({ form: 'quote' })), { form: 'quote' })
  const address = addressOf({ parameters })
  assert.deepEqual(Object.fromEntries(new URL(address, 'http://localhost').searchParams), EVERY)
  assert.equal(addressOf({ parameters: {} }), '/admin/inbox')
})

test('an address has the search words encrypted, and leaves out what is empty', () => {
  const query = queryOf({ q: ' ann@example.com ', form: 'quote' })
  const address = inboxAddress('/admin/inbox', query, { form: '', page: '2' })
  assert.doesNotMatch(address, /ann|form|[?&]q=/)
  const { searchParams } = new URL(address, 'http://localhost')
  assert.deepEqual([...searchParams.keys()], ['words', 'page'])
  const again = queryOf(Object.fromEntries(searchParams))
  assert.deepEqual([again.fields.q, again.hasLostWords, again.words], ['ann@example.com', false, query.words])
})

test('words that can’t be read any more are lost, unless new ones are entered', () => {
  const { words } = queryOf({ q: 'leak' })
  const other = createSecretBox(new Uint8Array(32).fill(1))
  const lost = readInboxQuery(new URLSearchParams({ words }), {
    ...{ forms: FORMS, stages: STAGES, scope: EVERY_LEAD, timeZone: 'UTC', secretBox: other },
  })
  assert.deepEqual([lost.hasLostWords, lost.fields.q, lost.words], [true, '', ''])
  const asked = queryOf({ words: 'broken', q: 'roof' })
  assert.deepEqual([asked.hasLostWords, asked.filter.search], [false, 'roof'])
})

test('users change their own filters, and managers those that are shared', () => {
  const holder = (role: 'manager' | 'office') => ({ role, limits: NO_LIMITS })
  const may = (role: 'manager' | 'office', isOwn: boolean, isShared: boolean) =>
    mayChange(holder(role), { isOwn, isShared })
  assert.deepEqual(
    [may('office', true, false), may('office', false, true), may('manager', false, true)],
    [true, false, true],
  )
  assert.equal(may('manager', false, false), false)
})

test('names of filters have at most 60 characters and are compared in any case', () => {
  const filters = [3, 4].map((id) => ({
    ...{ id, name: id === 3 ? 'Hot leads' : 'Old', isShared: false, isOwn: true, parameters: {} },
  }))
  assert.deepEqual([hasName(filters, 'HOT Leads'), hasName(filters, 'Hot')], [true, false])
  assert.deepEqual(FILTER_FORM.parse({ name: ' Hot ', shared: 'on' }), { name: 'Hot', shared: true })
  assert.deepEqual(FILTER_FORM.parse({ name: 'x'.repeat(60) }).shared, false)
  assert.equal(FILTER_FORM.safeParse({ name: 'x'.repeat(61) }).success, false)
})
