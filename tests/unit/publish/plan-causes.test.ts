import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compareSources, explainRemoval, formatSource } from '#src/publish/plan/plan-causes.ts'
import { describeCause } from '#src/publish/plan/plan-release.ts'
import type { PageSource } from '#src/site/pages/page-sources.ts'
import { temporaryFolder } from '../../support/database.ts'

type Source = [key: string, label: string, hash: string]

const CAUSES: [before: Source | undefined, after: Source | undefined, text: string | undefined][] = [
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin', 'a'], undefined],
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin City', 'b'], 'Renaming the term Austin to Austin City'],
  [['term:1', 'Austin', 'a'], ['term:1', 'Austin', 'b'], 'Editing the term Austin'],
  [undefined, ['term:1', 'Austin', 'a'], 'Adding the term Austin'],
  [['term:1', 'Austin', 'a'], undefined, 'Removing the term Austin'],
  [['term-text:1', 'Austin', 'a'], ['term-text:1', 'Austin', 'b'], 'Editing the text of the term Austin'],
  [['service:2', 'AC repair', 'a'], undefined, 'Removing the service AC repair'],
  [
    ['service-text:2', 'AC repair', 'a'],
    ['service-text:2', 'AC repair', 'b'],
    'Editing the service AC repair',
  ],
  [undefined, ['testimonial:3', 'Ann', 'a'], 'Adding the testimonial Ann'],
  [['form:1', 'Quote', 'a'], ['form:1', 'Price', 'b'], 'Renaming the form Quote to Price'],
  [['setting:phone', 'phone', 'a'], ['setting:phone', 'phone', 'b'], 'Editing the setting phone'],
  [['type:pages', 'Pages', 'a'], ['type:pages', 'Pages', 'b'], 'Editing the content type Pages'],
  [['template', 'templates', 'a'], ['template', 'templates', 'b'], 'Changing the templates'],
  [['pages', 'the pages', 'a'], ['pages', 'the pages', 'b'], 'Changing the list of pages in the footer'],
]

test('what pages are made of is compared in the words of people', (t) => {
  const file = join(temporaryFolder(t), 'sources.tsv')
  const toSource = ([key, label, hash]: Source) => ({ key, label, hash })
  for (const [before, after, text] of CAUSES) {
    writeFileSync(file, before ? formatSource(toSource(before)) : '')
    const changes = compareSources(file, after ? [toSource(after)] : [])
    assert.deepEqual(
      changes.map((change) => change.text),
      text === undefined ? [] : [text],
    )
  }
  assert.deepEqual(compareSources(undefined, []), [
    { key: 'first', text: 'Building the site for the first time' },
  ])
})

test('a service that comes or goes is said once, its name and its text together', (t) => {
  const file = join(temporaryFolder(t), 'sources.tsv')
  const service = [
    { key: 'service:2', label: 'AC repair', hash: 'a' },
    { key: 'service-text:2', label: 'AC repair', hash: 'b' },
  ]
  const causesOf = (before: PageSource[], after: PageSource[]) => {
    writeFileSync(file, before.map(formatSource).join(''))
    return compareSources(file, after)
  }
  assert.deepEqual(causesOf([], service), [{ key: 'service:2', text: 'Adding the service AC repair' }])
  assert.deepEqual(causesOf(service, []), [{ key: 'service:2', text: 'Removing the service AC repair' }])
  const namesake = { key: 'service:3', label: 'AC repair', hash: 'c' }
  assert.equal(causesOf([], [...service, namesake]).length, 2)
})

test('a page that is gone went with what its address named, or by itself', () => {
  const term = { key: 'term:7', text: 'Removing the term Austin' }
  const form = { key: 'form:2', text: 'Removing the form Quote' }
  assert.deepEqual(explainRemoval('place:1:7', [term, form]), [term])
  assert.deepEqual(explainRemoval('thanks:2', [term, form]), [form])
  assert.deepEqual(explainRemoval('entry:9', [term, form]), [{ key: 'Removing ', text: 'Removing pages' }])
})

test('a cause says how many pages it reaches', () => {
  const cause = { key: 'term:1', text: 'Editing the term Austin' }
  assert.equal(describeCause({ ...cause, pages: 1 }), 'Editing the term Austin changes one page')
  assert.equal(describeCause({ ...cause, pages: 1_212 }), 'Editing the term Austin changes 1,212 pages')
})
