import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryValues } from '#src/entries/entry-store.ts'
import { scheduleOf, schedulesChange } from '#src/entries/history/scheduled-draft.ts'
import { hasNothingOwn } from '#src/entries/offers/inherits-all.ts'
import { meaningOf } from '#src/entries/types/builtin/registry.ts'
import { labelOfSection, sectionsOf } from '#src/entries/types/page-sections.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const LATER = '2026-11-20T10:00:00.001Z'

for (const [what, own, hasNothing] of [
  ['only its service and place', {}, true],
  ['an empty list of redirects', { publishAt: null, unpublishAt: null, redirectFrom: [] }, true],
  ['a title', { title: 'Own' }, false],
  ['a text', { body: 'Own' }, false],
  ['the status draft', { status: 'draft' }, false],
  ['a field', { data: { service_entry_id: 1, location_term_id: 2, intro: 'Own' } }, false],
  ['a start', { publishAt: NOW }, false],
  ['an end', { unpublishAt: NOW }, false],
  ['a redirect', { redirectFrom: ['/old'] }, false],
] as const)
  test(`a local page with ${what} has ${hasNothing ? 'nothing' : 'something'} of its own`, () => {
    const pair = { service_entry_id: 1, location_term_id: 2 }
    const values = { title: '', status: 'published', body: '', data: pair, isGenerated: false, ...own }
    assert.equal(hasNothingOwn(values as EntryValues), hasNothing)
  })

for (const [what, input, isScheduled] of [
  ['without a date', { status: 'published', publishAt: null }, false],
  ['with a later date', { status: 'published', publishAt: LATER }, true],
  ['with the date of now', { status: 'published', publishAt: NOW }, false],
  ['with a later date, but not to be published', { status: 'draft', publishAt: LATER }, false],
] as const)
  test(`a draft ${what} ${isScheduled ? 'goes' : 'doesn’t go'} live by itself`, () => {
    assert.equal(schedulesChange(input, { publishAt: null }, new Date(NOW)), isScheduled)
    assert.equal(schedulesChange(input, { publishAt: input.publishAt }, new Date(NOW)), false)
    const draft = { version: { savedAt: NOW }, snapshot: input } as unknown as Parameters<
      typeof scheduleOf
    >[1]
    assert.equal(scheduleOf({ publishAt: null }, draft), isScheduled ? LATER : undefined)
  })

test('an editor offers the sections of its kind of page by their labels', async () => {
  const choices = await meaningOf('location_services', 'sections')?.choices?.(undefined as never, [])
  assert.deepEqual(choices?.slice(0, 2), [
    { value: 'steps', label: 'Steps' },
    { value: 'before_after', label: 'Before and after' },
  ])
  assert.ok(choices?.some(({ value }) => value === 'nearby'))
  assert.equal(meaningOf('location_services', 'constructor'), undefined)
})

test('a page shows its own known sections, else those of the site, else all', () => {
  const all = ['steps', 'before_after', 'gallery', 'places', 'reviews', 'faq']
  for (const [own, ofSite, shown] of [
    [undefined, undefined, all],
    [[], undefined, all],
    ['faq', undefined, all],
    [undefined, { service: ['faq', 'nearby'] }, ['faq']],
    [['gallery', '-steps', 'none', 'faq'], { service: ['steps'] }, ['gallery', 'faq']],
    [['none'], undefined, []],
  ] as const)
    assert.deepEqual(sectionsOf('service', own, ofSite), shown)
  assert.equal(labelOfSection('own_one'), 'own_one')
})
