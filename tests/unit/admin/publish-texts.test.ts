import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  describeCounts,
  describeDuration,
  describeSize,
  starterOf,
  stateOf,
} from '#src/admin/publish/describe-publish.ts'
import { liveState } from '#src/admin/publish/live-state.ts'
import { describeServices } from '#src/admin/publish/new-places.ts'
import { changeKey, nameAreas, toPendingRow } from '#src/admin/publish/pending-row.ts'
import { endShownAt } from '#src/admin/publish/publish-end.ts'
import type { PendingChange } from '#src/publish/pending/pending-changes.ts'
import type { PublishProgress } from '#src/publish/publish-progress.ts'
import type { Publish } from '#src/publish/publish-store.ts'

const PUBLISH = {
  ...{ id: 7, startedBy: 'admin', userId: 4, status: 'published', failureMessage: null },
  pages: { added: 0, changed: 0, removed: 0 },
} as Publish
const CHANGE: PendingChange = {
  ...{ firstChangeId: 1, changeId: 2, savedAt: '2026-11-20T10:00:00.000Z', savedBy: undefined },
  ...{ subject: 'entry', subjectId: '12', ofSlug: 'services', ofName: 'Services', name: 'AC repair' },
  ...{ change: 'edited', services: undefined, areas: undefined },
}

test('a publish names who started it', () => {
  const users = [{ id: 4, email: 'ann@example.com' }]
  assert.equal(starterOf(PUBLISH, users), 'ann@example.com')
  assert.equal(starterOf({ ...PUBLISH, userId: 5 }, users), 'Deleted user')
  assert.equal(starterOf({ ...PUBLISH, userId: null, startedBy: 'schedule' }, users), 'Schedule')
  assert.equal(stateOf({ ...PUBLISH, status: 'unchanged' }), 'no changes')
})

test('counts, sizes, and durations are short', () => {
  assert.equal(
    describeCounts({ added: 3, changed: 1_200, removed: 0, unchanged: 5 }),
    '1,200 changed, 3 added',
  )
  assert.equal(describeCounts({ added: 0, changed: 0, removed: 1, unchanged: 5 }), '1 removed')
  assert.deepEqual([6_440_000, 999_900_000, 1_000_000_000].map(describeSize), [
    '6.4 MB',
    '999.9 MB',
    '1.0 GB',
  ])
  const start = '2026-11-20T10:00:00.000Z'
  const after = (ms: number) => describeDuration(start, new Date(Date.parse(start) + ms).toISOString())
  assert.deepEqual([3_240, 9_400, 10_000, 59_400].map(after), ['3.2 s', '9.4 s', '10 s', '59 s'])
  assert.deepEqual([60_000, 119_400, 250_000].map(after), ['1 min 0 s', '1 min 59 s', '4 min 10 s'])
  // Rounded up to a whole minute.
  assert.deepEqual([9_960, 59_700, 119_700].map(after), ['10 s', '1 min 0 s', '2 min 0 s'])
})

test('the screen says how the publish after the one in its address ended', () => {
  const end = (query: string, ...publishes: Partial<Publish>[]) =>
    endShownAt(
      new URL(`http://localhost/admin/publish${query}`),
      publishes.map((one) => ({ ...PUBLISH, ...one })),
    )
  const pages = { added: 1, changed: 2, removed: 1, unchanged: 5 }
  assert.deepEqual(end('?after=6', { id: 8, status: 'failed' }, { id: 7, pages }), {
    kind: 'success',
    text: 'Published 4 pages: 2 changed, 1 added, 1 removed.',
  })
  assert.equal(end('?after=16', { id: 17 })?.kind, 'success')
  assert.equal(end('?after=6', {})?.text, 'Published. No pages changed.')
  assert.match(end('?after=6', { status: 'unchanged' })?.text ?? '', /^Visitors already see/)
  const alone = end('?after=6&selection', { status: 'unchanged' })
  assert.match(`${alone?.kind}: ${alone?.text}`, /^warning: Nothing was published/)
  const failed = end('?after=6', { status: 'failed', failureMessage: 'The disk is full.' })
  assert.equal(failed?.kind, 'error')
  assert.match(failed?.text ?? '', /The disk is full\.$/)
  for (const query of ['', '?after=', '?after=7', '?after=x6', '?after=6x', `?after=${'0'.repeat(16)}`])
    assert.equal(end(query, {}), undefined, query)
  for (const status of ['running', 'rolled_back'] as const)
    assert.equal(end('?after=6', { status }), undefined, status)
})

test('a change leads to its editor, and an edit to its versions', () => {
  const rowOf = (change: Partial<PendingChange>) => {
    const { name, kind, href, versions } = toPendingRow({ ...CHANGE, ...change })
    return [name, kind, href, versions]
  }
  const editor = '/admin/entries/services/12'
  assert.deepEqual(rowOf({}), ['AC repair', 'Service', editor, `${editor}/versions`])
  assert.deepEqual(rowOf({ change: 'added' }), ['AC repair', 'Service', editor, undefined])
  assert.deepEqual(rowOf({ change: 'removed' }), ['AC repair', 'Service', undefined, undefined])
  const place = '/admin/taxonomies/locations/terms/12'
  assert.deepEqual(rowOf({ subject: 'term', ofSlug: 'locations' }).slice(1), [
    'Place',
    place,
    `${place}/versions`,
  ])
  assert.deepEqual(rowOf({ subject: 'form', ofSlug: undefined }).slice(1), ['Form', undefined, undefined])
  assert.deepEqual(rowOf({ ofSlug: undefined })[1], 'Page')
  assert.deepEqual(rowOf({ subject: 'term', ofSlug: undefined })[1], 'Place or category')
  assert.equal(changeKey(CHANGE), 'entry:12')
})

test('settings are named by the screens of what changed', () => {
  assert.deepEqual(
    [nameAreas(), nameAreas(['home']), nameAreas(['settings']), nameAreas(['settings', 'home'])],
    ['Site settings', 'Home page', 'Settings', 'Settings and home page'],
  )
  const settings = { ...CHANGE, subject: 'setting', subjectId: 'site', ofSlug: undefined } as const
  const rowOf = (areas: PendingChange['areas']) => {
    const { name, kind, href } = toPendingRow({ ...settings, areas })
    return [name, kind, href]
  }
  assert.deepEqual(rowOf(['home']), ['Home page', 'Page', '/admin/home'])
  assert.deepEqual(rowOf(['settings', 'home']), ['Settings and home page', 'Whole site', '/admin/settings'])
})

test('services of a new place are named, the last of many counted', () => {
  assert.equal(describeServices([]), 'No services offered in this place')
  assert.equal(describeServices(['A', 'B']), 'A and B offered in this place')
  assert.match(describeServices([...'ABCDEFGHIJ']), /^A, B, C, D, E, F, G, H, and 2 more offered/)
})

test('the state of a publish is that of its last step', () => {
  const work = { isPublishing: true, isLooking: false }
  const phase = (name: string, done: number, total: number) =>
    ({ name, done, total, startedAt: '2026-11-20T10:00:00.000Z' }) as PublishProgress['phases'][number]
  const stateAt = (...phases: PublishProgress['phases']) =>
    liveState({ phases, updatedAt: '2026-11-20T10:00:10.000Z' } as PublishProgress, work)
  const starting = { ...work, phase: 'Starting', done: 0, total: 0, left: '' }
  assert.deepEqual(liveState(undefined, work), starting)
  assert.deepEqual(stateAt(), starting)
  const comparing = stateAt(phase('pictures', 3, 3), phase('places', 1, 2), phase('pages', 500, 1_000))
  assert.deepEqual([comparing.done, comparing.total], [500, 1_000])
  assert.equal(comparing.left, '500 of 1,000 pages compared, about 10 seconds left')
  assert.equal(stateAt(phase('pages', 0, 1_000)).left, '0 of 1,000 pages compared')
  assert.equal(stateAt(phase('pictures', 1, 2)).left, '1 of 2 pictures, about 10 seconds left')
  assert.equal(stateAt(phase('pages', 0, 0)).left, '')
})
