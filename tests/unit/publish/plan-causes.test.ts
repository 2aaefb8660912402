import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cause, describeCause, type SourceKind } from '#src/messages/admin/publish.ts'
import { compareSources, explainRemoval } from '#src/publish/plan/plan-causes.ts'
import type { PageSource } from '#src/site/pages/page-sources.ts'
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
    { code: 'source_renamed', params: { kind: 'term', from: 'Austin', to: 'Austin City' } },
  ],
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin', 'b'], edited('term', 'Austin')],
  [undefined, ['term:1', 'Austin', 'a'], added('term', 'Austin')],
  [['term:1', 'Austin', 'a'], undefined, removed('term', 'Austin')],
  [['term-text:1', 'Austin', 'a'], ['term-text:1', 'Austin', 'b'], edited('term_text', 'Austin')],
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
  [['template', 'templates', 'a'], ['template', 'templates', 'b'], { code: 'templates' }],
  [['pages', 'the pages', 'a'], ['pages', 'the pages', 'b'], { code: 'footer' }],
]

const byKey = (sources: PageSource[]) => new Map(sources.map((source) => [source.key, source]))

test('what pages are made of is compared', () => {
  const toSource = ([key, label, hash]: Source) => ({ key, label, hash })
  for (const [before, after, cause] of CAUSES) {
    const earlier = byKey(before ? [toSource(before)] : [])
    const changes = compareSources(earlier, after ? [toSource(after)] : [])
    assert.deepEqual(
      changes.map((change) => change.cause),
      cause === undefined ? [] : [cause],
    )
  }
})

test('a service that comes or goes is said once, its name and its text together', () => {
  const service = [
    { key: 'service:2', label: 'AC repair', hash: 'a' },
    { key: 'service-text:2', label: 'AC repair', hash: 'b' },
  ]
  const causesOf = (before: PageSource[], after: PageSource[]) => compareSources(byKey(before), after)
  assert.deepEqual(causesOf([], service), [{ key: 'service:2', cause: added('service', 'AC repair') }])
  assert.deepEqual(causesOf(service, []), [{ key: 'service:2', cause: removed('service', 'AC repair') }])
  const namesake = { key: 'service:3', label: 'AC repair', hash: 'c' }
  assert.equal(causesOf([], [...service, namesake]).length, 2)
})

test('a page that is gone went with what its address named, or by itself', () => {
  const term = { key: 'term:7', cause: removed('term', 'Austin') }
  const form = { key: 'form:2', cause: removed('form', 'Quote') }
  assert.deepEqual(explainRemoval('place:1:7', [term, form]), [term])
  assert.deepEqual(explainRemoval('thanks:2', [term, form]), [form])
  assert.deepEqual(explainRemoval('entry:9', [term, form]), [
    { key: 'entries_removed:', cause: { code: 'entries_removed', params: { type: null } } },
  ])
})

test('a cause says how many pages it reaches', () => {
  const cause = edited('term', 'Austin')
  assertSays(describeCause({ cause, pages: 1 }), /^Editing the term Austin changes one page$/)
  assertSays(describeCause({ cause, pages: 1_212 }), /^Editing the term Austin changes 1,212 pages$/)
})
