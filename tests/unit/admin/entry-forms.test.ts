import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFields } from '#src/admin/entries/fields/group-fields.ts'
import { inputValues, itemCounts } from '#src/admin/entries/fields/input-values.ts'
import { keepStored } from '#src/admin/entries/keep-stored.ts'
import { rearrange } from '#src/admin/entries/rearrange.ts'
import { momentOf } from '#src/admin/entries/schedule/moment-of.ts'
import { listOtherChanges, nextMoment } from '#src/admin/entries/schedule/other-changes.ts'
import { checkSchedule, withSchedule } from '#src/admin/entries/schedule/posted-schedule.ts'
import { scheduledTime } from '#src/admin/entries/schedule/scheduled-time.ts'
import { readableField, readableOwn } from '#src/admin/entries/versions/readable-field.ts'
import { readableValue } from '#src/admin/versions/readable-value.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import type { Entry } from '#src/entries/entry-store.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'

const PAST = '2020-11-20T10:00:00.000Z'
const NEXT = '2090-11-20T10:00:00.000Z'
const INPUT = emptyEntryInput({})
const ENTRY = {
  ...{ id: 3, typeId: 1, slug: 'roof', title: ' New roof ', status: 'published', body: 'Text\n' },
  ...{ publishAt: '2026-11-20T10:00:30.000Z', unpublishAt: null, redirectFrom: [], updatedAt: PAST },
  data: { year: ' 2026 ', note: 'abc', steps: [{ title: ' One ' }, { title: 'Two' }] },
} as unknown as Entry
const step = { key: 'title', label: 'Title', type: 'text' }
const TYPE = {
  ...{ id: 1, slug: 'projects', name: 'Projects', isRoutable: true },
  fields: [
    { key: 'year', label: 'Year', type: 'text' },
    { key: 'note', label: 'Note', type: 'text' },
    { key: 'steps', label: 'Steps', type: 'list', fields: [step] },
  ],
} as unknown as ContentType

test('small buttons move and remove the rows of a list, or empty a field', () => {
  const fields = { 'a.b': ['one', 'two', 'three'], phone: '1', text: 'x' }
  const listAfter = (act: string) => rearrange(fields, act)['a.b']
  assert.deepEqual(listAfter('up:a.b.2'), ['one', 'three', 'two'])
  assert.deepEqual(listAfter('up:a.b.0'), ['one', 'two', 'three'])
  assert.deepEqual(listAfter('remove:a.b.1'), ['one', 'three'])
  assert.deepEqual(rearrange(fields, 'reset:phone'), { 'a.b': fields['a.b'], text: 'x' })
  for (const act of ['save', 'up:text.1', 'remove:text', 'down:a.b.1', 'xup:a.b.1', 'remove:none.0'])
    assert.deepEqual(rearrange(fields, act), fields, act)
})

test('a form has an input for each part of each row, and times in its zone', () => {
  const input = {
    ...{ ...INPUT, slug: 'roof', redirectFrom: ['/a', '/b'], namedTerms: { locations: ['austin', 'ohio'] } },
    ...{ publishAt: '2026-11-20T10:00:00.000Z', unpublishAt: 'soon' },
    fields: {
      year: 2026,
      tags: ['x', 'y'],
      none: null,
      steps: [{ title: 'One', parts: [{ name: 'a', more: [{}] }] }, null],
    },
  }
  const values = inputValues(input, { timeZone: 'America/Chicago' })
  const { publish_at, unpublish_at, redirect_from, year, tags, none } = values
  assert.deepEqual([publish_at, unpublish_at], ['2026-11-20T04:00', 'soon'])
  assert.deepEqual([redirect_from, year, tags, none], ['/a\n/b', '2026', 'x\ny', ''])
  assert.equal(values['named_terms.locations'], 'austin, ohio')
  assert.deepEqual([values['steps.0.title'], values['steps.0.parts.0.name'], values.steps], ['One', 'a', ''])
  assert.deepEqual(itemCounts(input.fields), {
    ...{ tags: 2, steps: 2, 'steps.0.parts': 1, 'steps.0.parts.0.more': 1 },
  })
  assert.equal(inputValues(INPUT, { timeZone: 'UTC' }).publish_at, '')
})

test('what came back unchanged keeps its stored form', () => {
  const options = { type: TYPE, entry: ENTRY, timeZone: 'UTC' }
  const read = (fields: Record<string, unknown>, own = {}) =>
    keepStored(
      { ...INPUT, title: 'New roof', body: 'Text', publishAt: '2026-11-20T10:00:00.000Z', ...own, fields },
      options,
    )
  const one = { title: 'One' }
  const same = read({ year: '2026', note: 'abc', steps: [one, { title: 'Two' }] })
  assert.deepEqual([same.title, same.body], [' New roof ', 'Text\n'])
  // The form has no seconds.
  assert.equal(same.publishAt, ENTRY.publishAt)
  assert.deepEqual(same.fields, ENTRY.data)
  const moved = read({ year: '2027', note: 'abd', steps: [{ title: 'Three' }, one] })
  assert.deepEqual(moved.fields, {
    year: '2027',
    note: 'abd',
    steps: [{ title: 'Three' }, { title: ' One ' }],
  })
  assert.deepEqual(read({ steps: 'One' }).fields, { steps: 'One' })
  // A stored row without content isn't posted, so the others have moved.
  const entry = { ...ENTRY, data: { steps: [{ title: '' }, { title: ' Two ' }] } }
  const steps = [{ title: 'Two' }, { title: 'New' }]
  assert.deepEqual(keepStored({ ...INPUT, fields: { steps } }, { ...options, entry }).fields, { steps })
  const later = read({}, { title: 'Roof', publishAt: '2026-11-20T10:01:00.000Z' })
  assert.deepEqual([later.title, later.publishAt, later.fields], ['Roof', '2026-11-20T10:01:00.000Z', {}])
})

test('fields are grouped by the panel that shows them, the hero picture first', () => {
  const field = (key: string, type: string, control?: string) =>
    ({ field: { key, type }, meaning: control && { control } }) as never
  const { pictures, places, others } = groupFields([
    ...[
      field('year', 'text'),
      field('photo', 'picture'),
      field('photo_alt', 'text'),
      field('gallery', 'pictures'),
    ],
    ...[field('hero', 'text', 'picture'), field('offered_in', 'list', 'places'), field('x_alt', 'text')],
  ])
  const keysOf = (list: typeof pictures) => list.map((one) => one.field.key)
  assert.deepEqual([pictures, places, others].map(keysOf), [
    ['hero', 'photo', 'photo_alt', 'gallery'],
    ['offered_in'],
    ['year', 'x_alt'],
  ])
  assert.deepEqual(groupFields([]), { pictures: [], places: [], others: [] })
})

test('a local time is read in the time zone', () => {
  assert.equal(momentOf('2026-11-20T04:00', 'America/Chicago'), '2026-11-20T10:00:00.000Z')
  assert.equal(momentOf('2026-07-01T12:00', 'Europe/Dublin'), '2026-07-01T11:00:00.000Z')
  assert.equal(momentOf('soon', 'UTC'), undefined)
})

test('the next moment of a published entry is when it appears or goes', () => {
  const now = new Date('2026-11-20T10:00:00.000Z')
  const at = (publishAt: string | null, unpublishAt: string | null, status: Entry['status'] = 'published') =>
    nextMoment({ status, publishAt, unpublishAt }, now)
  assert.deepEqual(at(NEXT, '2091-01-01T00:00:00.000Z'), { at: NEXT, event: 'appears' })
  assert.deepEqual(at(PAST, NEXT), { at: NEXT, event: 'goes' })
  for (const none of [at(null, null), at(PAST, PAST), at(NEXT, NEXT, 'draft'), at(now.toISOString(), null)])
    assert.equal(none, undefined)
  assert.equal(scheduledTime({ status: 'published', publishAt: NEXT }, now), NEXT)
  for (const [status, publishAt] of [
    ['draft', NEXT],
    ['published', PAST],
    ['published', '3000'],
    ['published', null],
  ] as const)
    assert.equal(scheduledTime({ status, publishAt }, now), undefined)
})

test('the Schedule button needs a time in the future, and publishes then', () => {
  const faultOf = (publishAt: string | null) => {
    const faults: string[] = []
    checkSchedule({ fail: (field, message) => faults.push(`${field}: ${message}`) }, { ...INPUT, publishAt })
    return faults.join()
  }
  assert.equal(faultOf(NEXT), '')
  assert.equal(faultOf(PAST), 'publish_at: Enter a time in the future.')
  assert.deepEqual([faultOf(null), faultOf('soon')], Array(2).fill('publish_at: Enter a date and a time.'))
  const values = { ...INPUT, publishAt: NEXT }
  const draft = { ...values, status: 'draft' as const }
  assert.equal(withSchedule('schedule', { values: draft, entry: undefined }).status, 'published')
  assert.equal(withSchedule('draft', { values, entry: ENTRY }).publishAt, ENTRY.publishAt)
  assert.equal(withSchedule('save', { values, entry: ENTRY }), values)
  assert.equal(withSchedule('draft', { values, entry: undefined }), values)
})

test('other changes are unpublished ones that are not of the entry', () => {
  const cause = (key: string, page?: string) => ({ key, page, reason: 'text' })
  const list = (planner: { isChanged: boolean; causes?: object[] }, isHeld = false) => {
    let looks = 0
    const planned = planner.causes && { kind: 'planned', planned: { plan: { causes: planner.causes } } }
    const found = listOtherChanges(
      { hasUnpublished: () => planner.isChanged, look: () => (looks += 1), latest: () => planned } as never,
      { id: 3, path: '/roof', isHeld },
    )
    return [found.kind, looks, 'reasons' in found ? found.reasons.length : 0]
  }
  assert.deepEqual(list({ isChanged: false }), ['none', 0, 0])
  assert.deepEqual(list({ isChanged: true }), ['unknown', 1, 0])
  assert.deepEqual(list({ isChanged: false, causes: [] }, true), ['none', 1, 0])
  const own = [cause('service:3'), cause('service-text:3'), cause('testimonial:3'), cause('page', '/roof')]
  assert.deepEqual(list({ isChanged: true, causes: own }), ['none', 1, 0])
  const other = { ...cause('service:4'), cause: { code: 'footer', params: {} }, pages: 2 }
  assert.deepEqual(list({ isChanged: true, causes: [...own, other] }), ['listed', 1, 1])
  const page = { ...other, key: 'page', page: '/team' }
  assert.deepEqual(list({ isChanged: true, causes: [...own, other, page] }), ['listed', 1, 2])
})

test('versions show values as the editor does', () => {
  const own = (key: Parameters<typeof readableOwn>[1], value: unknown, isRoutable = true) =>
    readableOwn({ isRoutable }, key, { value, timeZone: 'America/Chicago' })
  assert.deepEqual(
    [own('status', 'draft'), own('status', 'published'), own('status', 'published', false)],
    ['Draft (not on the site)', 'Published', 'In use'],
  )
  assert.equal(own('publishAt', '2026-11-20T10:00:00.000Z'), own('unpublishAt', '2026-11-20T10:00:00.000Z'))
  assert.match(own('publishAt', '2026-11-20T10:00:00.000Z'), /^Nov 20, 2026, 4:00/)
  assert.deepEqual([own('publishAt', null), own('redirectFrom', ['/a', '/b'])], ['', '/a\n/b'])
  const field = (type: string, value: unknown, more = {}) =>
    readableField(TYPE, { key: 'x', label: 'X', type, ...more } as never, value)
  assert.deepEqual([field('boolean', true), field('boolean', false)], ['Yes', 'No'])
  assert.equal(field('date', '2026-11-20'), 'Nov 20, 2026')
  assert.equal(field('select', 'north_east', { options: ['north_east'] }), 'North east')
  assert.equal(field('text', 'north_east'), 'north_east')
  const sections = { key: 'sections', label: 'Sections', type: 'list' } as never
  const service = { slug: 'services' }
  const [faq, both] = [
    ['faq', '-steps'],
    ['faq', 'steps'],
  ].map((shown) => readableField(service, sections, shown))
  assert.match(faq ?? '', /^[A-Z][^\n]+$/)
  assert.ok(both?.startsWith(`${faq}\n`))
  assert.equal(field('list', ['faq', '-steps']), 'faq\n-steps')
  const rows = [
    { title: 'One', text: '' },
    { title: 'Two', text: 'More' },
  ]
  const fields = [step, { key: 'text', label: 'Text', type: 'text' }]
  assert.equal(field('list', rows, { fields }), '1. Title: One\n2. Title: Two\nText: More')
  assert.deepEqual([field('list', [], { fields }), field('text', null)], ['', ''])
})

test('a value that isn’t a text or a list of texts is shown as YAML', () => {
  assert.deepEqual([undefined, null, 'a', ['a', 'b']].map(readableValue), ['', '', 'a', 'a\nb'])
  assert.deepEqual([readableValue(3), readableValue({ a: 1 })], ['3', 'a: 1'])
  assert.equal(readableValue(['a', 1]), '- a\n- 1')
})
