import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cause, describeCause, type SourceKind } from '#src/messages/admin/history/causes.ts'
import {
  compareSources,
  explainRemoval,
  nameSinglePage,
  withPageNames,
} from '#src/publish/plan/plan-causes.ts'
import { isSameSite, type ReleasePlan } from '#src/publish/plan/plan-release.ts'
import type { PageSource } from '#src/site/sources/page-sources.ts'
import { assertSays } from '../../support/wording.ts'

type Source = [key: string, label: string, hash: string]

const added = (kind: SourceKind, name: string): Cause => ({ code: 'source_added', params: { kind, name } })
const edited = (kind: SourceKind, name: string): Cause => ({ code: 'source_edited', params: { kind, name } })
const removed = (kind: SourceKind, name: string): Cause => ({
  code: 'source_removed',
  params: { kind, name },
})

const CAUSES: [before: Source | undefined, after: Source | undefined, cause: Cause | undefined][] = [
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin', 'a'], undefined],
  [
    ['term:1', 'Austin', 'a'],
    ['term:1', 'Austin City', 'b'],
    { code: 'source_renamed', params: { kind: 'place', from: 'Austin', to: 'Austin City' } },
  ],
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin', 'b'], edited('place', 'Austin')],
  [undefined, ['term:1', 'Austin', 'a'], added('place', 'Austin')],
  [['term:1', 'Austin', 'a'], undefined, removed('place', 'Austin')],
  [['term-text:1', 'Austin', 'a'], ['term-text:1', 'Austin', 'b'], edited('place_text', 'Austin')],
  [['term:5', 'Cooling', 'a'], ['term:5', 'Cooling', 'b'], edited('category', 'Cooling')],
  [['term-text:5', 'Cooling', 'a'], ['term-text:5', 'Cooling', 'b'], edited('category_text', 'Cooling')],
  [['term:5', 'Cooling', 'a'], undefined, removed('term', 'Cooling')],
  [['service:2', 'AC repair', 'a'], undefined, removed('service', 'AC repair')],
  [
    ['service-text:2', 'AC repair', 'a'],
    ['service-text:2', 'AC repair', 'b'],
    edited('service', 'AC repair'),
  ],
  [undefined, ['testimonial:3', 'Ann', 'a'], added('testimonial', 'Ann')],
  [
    ['form:1', 'Quote', 'a'],
    ['form:1', 'Price', 'b'],
    { code: 'source_renamed', params: { kind: 'form', from: 'Quote', to: 'Price' } },
  ],
  [['setting:phone', 'phone', 'a'], ['setting:phone', 'phone', 'b'], edited('setting', 'phone')],
  [['type:pages', 'Pages', 'a'], ['type:pages', 'Pages', 'b'], edited('type', 'Pages')],
  [undefined, ['taxonomy:4', 'Builders', 'a'], added('taxonomy', 'Builders')],
  [['template', 'templates', 'a'], ['template', 'templates', 'b'], { code: 'templates' }],
  [['pages', 'the pages', 'a'], ['pages', 'the pages', 'b'], { code: 'footer' }],
  [['picture:van.jpg', 'van.jpg', 'a'], ['picture:van.jpg', 'van.jpg', 'b'], edited('picture', 'van.jpg')],
  // What names it differs too.
  [undefined, ['picture:van.jpg', 'van.jpg', 'a'], undefined],
  [['picture:van.jpg', 'van.jpg', 'a'], undefined, undefined],
  [['taxonomy:3', 'Brands', 'a'], ['taxonomy:3', 'Brands', 'b'], edited('taxonomy', 'Brands')],
]

const isPlace = (termId: number) => termId === 1
const byKey = (sources: PageSource[]) => new Map(sources.map((source) => [source.key, source]))

test('the inputs of pages are compared', () => {
  const toSource = ([key, label, hash]: Source) => ({ key, label, hash })
  for (const [before, after, cause] of CAUSES) {
    const earlier = byKey(before ? [toSource(before)] : [])
    const changes = compareSources(earlier, after ? [toSource(after)] : [], isPlace)
    assert.deepEqual(
      changes.map((change) => change.cause),
      cause === undefined ? [] : [cause],
    )
  }
})

test('an added or removed service is one cause, with name and text together', () => {
  const service = [
    { key: 'service:2', label: 'AC repair', hash: 'a' },
    { key: 'service-text:2', label: 'AC repair', hash: 'b' },
  ]
  const causesOf = (before: PageSource[], after: PageSource[]) =>
    compareSources(byKey(before), after, isPlace)
  assert.deepEqual(causesOf([], service), [{ key: 'service:2', cause: added('service', 'AC repair') }])
  assert.deepEqual(causesOf(service, []), [{ key: 'service:2', cause: removed('service', 'AC repair') }])
  const other = [
    { key: 'service:41', label: 'Drains', hash: 'd' },
    { key: 'service-text:41', label: 'Drains', hash: 'e' },
  ]
  // A ledger lists its sources by key.
  const listed = [...service, ...other].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  assert.deepEqual(causesOf(listed, service), [{ key: 'service:41', cause: removed('service', 'Drains') }])
  const namesake = { key: 'service:3', label: 'AC repair', hash: 'c' }
  assert.equal(causesOf([], [...service, namesake]).length, 2)
})

test('a removed page is attributed to the item its address names, or to itself', () => {
  const term = { key: 'term:7', cause: removed('place', 'Austin') }
  const form = { key: 'form:2', cause: removed('form', 'Quote') }
  assert.deepEqual(explainRemoval('place:1:7', [term, form]), [term])
  for (const key of ['thanks:2', 'form:2']) assert.deepEqual(explainRemoval(key, [term, form]), [form])
  assert.deepEqual(explainRemoval('entry:9', [term, form]), [
    { key: 'entries_removed:', cause: { code: 'entries_removed', params: { type: null } } },
  ])
})

test('a single page that was added, edited, or removed is named, and has the title of its entry', () => {
  const type = { slug: 'pages', name: 'Pages' }
  const codes = {
    entries_added: 'page_added',
    entries_edited: 'page_edited',
    entries_removed: 'page_removed',
  }
  for (const [code, one] of Object.entries(codes)) {
    const reason = { key: 'a', pages: 1, cause: { code, params: { type } } as Cause }
    const cause = { code: one, params: { path: '/news' } } as Cause
    assert.deepEqual(nameSinglePage(reason, { path: '/news', entryId: 4 }), {
      ...{ key: 'a', pages: 1, cause, page: '/news', entryId: 4 },
    })
    assert.deepEqual(nameSinglePage(reason, { path: '/news', entryId: null }), {
      ...{ key: 'a', pages: 1, cause, page: '/news' },
    })
    const two = { ...reason, pages: 2 }
    assert.equal(nameSinglePage(two, { path: '/news', entryId: 4 }), two)
  }
  const place = { key: 'term:1', pages: 1, cause: edited('place', 'Austin') }
  assert.equal(nameSinglePage(place, { path: '/news', entryId: 4 }), place)

  const page = { key: 'a', pages: 1, cause: { code: 'page_added', params: { path: '/news' } } as Cause }
  const named = withPageNames(
    [{ ...page, entryId: 4 }, { ...page, entryId: 5 }, page, { ...place, entryId: 4 }],
    new Map([[4, 'News']]),
  )
  assert.deepEqual(named, [
    { ...page, entryId: 4, cause: { code: 'page_added', params: { path: '/news', title: 'News' } } },
    { ...page, entryId: 5 },
    page,
    { ...place, entryId: 4 },
  ])
})

test('a site is the same if no page differs or was rendered again', () => {
  const none = { added: 0, changed: 0, removed: 0, renderedSame: 0 }
  const isSame = (counts: object) => isSameSite({ ...none, unchanged: 9, ...counts } as ReleasePlan)
  assert.ok(isSame({}))
  for (const one of ['added', 'changed', 'removed', 'renderedSame'])
    for (const other of ['added', 'changed', 'removed', 'renderedSame'])
      assert.ok(!isSame({ [one]: 1, [other]: 1 }), `${one} ${other}`)
})

test('a cause counts its pages', () => {
  const cause = edited('place', 'Austin')
  assertSays(describeCause({ cause, pages: 1 }), /^Editing the place Austin changes one page$/)
  assertSays(describeCause({ cause, pages: 1_212 }), /^Editing the place Austin changes 1,212 pages$/)
})

test('entries with a page of their own are counted by type', () => {
  const type = { slug: 'location_services', name: 'Location Services' }
  const says = (cause: Cause, pages: number) => describeCause({ cause, pages })
  assertSays(says({ code: 'entries_added', params: { type } }, 12), /^Adding 12 local pages$/)
  assertSays(says({ code: 'entries_edited', params: { type } }, 1), /^Editing 1 local page$/)
  assertSays(says({ code: 'entries_removed', params: { type: null } }, 3), /^Removing 3 pages$/)
  const own = { slug: 'projects', name: 'Projects' }
  assertSays(
    says({ code: 'entries_edited', params: { type: own } }, 2),
    /^Editing 2 pages of the type Projects$/,
  )
  assertSays(says({ code: 'page_added', params: { path: '/news' } }, 1), /^Adding the page \/news$/)
})
