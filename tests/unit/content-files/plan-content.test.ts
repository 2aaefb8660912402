import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentDocument } from '#src/content-files/document.ts'
import { findMistakes, usedFiles } from '#src/content-files/syncing/plan-content.ts'
import { aFile, anEntry, aPlan, documentOf } from '../../support/content-plans.ts'

const target = (reference: object) =>
  Object.values({ ...reference, line: undefined })
    .filter(Boolean)
    .join(' ')

test('after a merge of settings, only the references of the merged settings count', () => {
  const file = aFile(
    'site.yaml',
    'name: Ours\ndefault_form: quote\nlogo: a.svg\nicon: b.svg\nphone: 512 555 0100\nphones:\n  - { label: Shop, number: 512 555 0101 }\n',
  )
  assert.ok(file.document)
  const references = (values: Record<string, string>) => {
    const merged = documentOf('site.yaml', JSON.stringify({ name: 'Ours', ...values }))
    const plan = { ...aPlan('merge', { file: file.document as ContentDocument }), merged }
    return usedFiles([file], [plan]).flatMap((used) => used.references.map(target))
  }
  const [form, phone, shop, logo, icon] = file.references.map(target)
  assert.deepEqual(
    [form, phone, shop, logo, icon],
    [
      'form quote',
      'phone phone 512 555 0100 US',
      'phone phones[1].number 512 555 0101 US',
      'picture a.svg',
      'picture b.svg',
    ],
  )
  assert.deepEqual(references({}), [])
  assert.deepEqual(references({ default_form: 'other' }), [])
  assert.deepEqual(references({ default_form: 'quote' }), [form])
  assert.deepEqual(references({ icon: 'b.svg', phone: '512 555 0101' }), [shop, icon])
  assert.deepEqual(references({ logo: 'a.svg', phone: '512 555 0100' }), [phone, logo])
  const written = aPlan('write', { file: file.document })
  assert.equal(usedFiles([file], [written])[0]?.references.length, 5)
})

test('files that lose to their rows, or that wait, aren’t used', () => {
  const page = anEntry('pages/about.md')
  const file = { path: 'pages/about.md', document: page, references: [], mistakes: [] }
  const used = (['keep', 'prefer_row', 'wait', 'agree', 'write', 'conflict', 'merge'] as const).filter(
    (decision) => usedFiles([file], [aPlan(decision, { file: page, row: page })]).length > 0,
  )
  assert.deepEqual(used, ['agree', 'write', 'conflict', 'merge'])
})

const QUOTE = documentOf('forms/quote.yaml', 'name: Quote\nfields: []\n')
const lacksForm = (path: string, line: number) => {
  const document = anEntry(path)
  const references = [{ to: 'form' as const, slug: 'quote', line }]
  return { path, document, references, mistakes: [] }
}

test('a missing name is a mistake only if it is missing whichever side of a conflict wins', () => {
  const file = lacksForm('pages/about.md', 3)
  const written = aPlan('write', { file: file.document })
  const find = (...plans: ReturnType<typeof aPlan>[]) =>
    findMistakes({ files: [file], pictures: new Set() }, [written, ...plans]).map(
      ({ path, line, fault }) => `${path}:${line} ${fault.code}`,
    )
  const missing = ['pages/about.md:3 file_unknown']
  const other = anEntry('pages/other.md')
  assert.deepEqual(find(), missing)
  assert.deepEqual(find(aPlan('conflict', { file: other, row: other })), missing)
  assert.deepEqual(find(aPlan('agree', { file: QUOTE, row: QUOTE })), [])
  assert.deepEqual(find(aPlan('conflict', { row: QUOTE })), [])
  assert.deepEqual(find(aPlan('conflict', { file: QUOTE })), [])
  assert.deepEqual(find(aPlan('remove', { row: QUOTE })), missing)
})

test('a name that only one side of another file’s conflict defines is missing only in a file in conflict', () => {
  const moods = (slug: string) =>
    documentOf('taxonomies/moods.yaml', `name: Moods\nterms: [{ slug: ${slug}, name: A }]\n`)
  const document = anEntry('pages/about.md')
  const references = [{ to: 'term' as const, taxonomy: 'moods', slug: 'calm', line: 3 }]
  const file = { path: 'pages/about.md', document, references, mistakes: [] }
  const find = (decision: 'write' | 'conflict', sides: Parameters<typeof aPlan>[1]) =>
    findMistakes({ files: [file], pictures: new Set() }, [
      aPlan(decision, { file: document, row: document }),
      aPlan('conflict', sides),
    ]).map(({ path, line, fault }) => `${path}:${line} ${fault.code}`)
  const missing = ['pages/about.md:3 term_unknown']
  assert.deepEqual(find('write', { file: moods('dry'), row: moods('calm') }), [])
  assert.deepEqual(find('write', { file: moods('calm'), row: moods('dry') }), [])
  assert.deepEqual(find('write', { file: moods('dry'), row: moods('dry') }), missing)
  assert.deepEqual(find('conflict', { file: moods('dry'), row: moods('calm') }), missing)
})

test('a file’s own mistakes are found, and names that a file with mistakes may define aren’t', () => {
  const form = aFile('forms/quote.yaml', 'nam: Quote\n')
  const file = lacksForm('pages/about.md', 3)
  const plans = [aPlan('write', { file: file.document })]
  assert.deepEqual(findMistakes({ files: [form, file], pictures: new Set() }, plans), form.mistakes)
})

test('a number that can’t be dialed is a mistake unless the settings can’t be read or had it before', () => {
  const site = aFile('site.yaml', 'name: Ours\nphone: call us\n')
  const document = anEntry('testimonials/a.md')
  const references = [{ to: 'phone' as const, name: 'phone', number: 'call me', line: 4 }]
  const other = { path: 'testimonials/a.md', document, references, mistakes: [] }
  const find = (files: (typeof site)[], plans: ReturnType<typeof aPlan>[]) =>
    findMistakes({ files, pictures: new Set() }, plans).map(({ path, line }) => `${path}:${line}`)
  const settings = site.document as ContentDocument
  const written = aPlan('write', { file: settings })
  const added = aPlan('write', { file: document })
  assert.deepEqual(find([site, other], [written, added]), ['site.yaml:2', 'testimonials/a.md:4'])
  for (const before of [{ row: settings }, { base: settings }]) {
    const changed = aPlan('write', { file: settings, ...before })
    assert.deepEqual(find([site, other], [changed, added]), ['testimonials/a.md:4'])
  }
  const abroad = documentOf('site.yaml', 'name: Ours\nphone: call us\ncountry: IE\n')
  const moved = aPlan('write', { file: settings, row: abroad })
  assert.deepEqual(find([site, other], [moved, added]), ['site.yaml:2', 'testimonials/a.md:4'])
  const broken = aFile('site.yaml', 'nam: Ours\n')
  assert.equal(find([broken, other], [added]).includes('testimonials/a.md:4'), false)
})

test('an entry keeps an undialable number that its row or base has', () => {
  const path = 'location_services/repair/austin.md'
  const known = anEntry(path, { fields: { phone: 'call me' } })
  const references = [{ to: 'phone' as const, name: 'phone', number: 'call me', line: 2 }]
  const files = [{ path, document: known, references, mistakes: [] }]
  const find = (sides: object) =>
    findMistakes({ files, pictures: new Set() }, [aPlan('write', { file: known, ...sides })]).map(
      ({ fault }) => fault,
    )
  assert.deepEqual(find({ row: known }), [])
  assert.deepEqual(find({ row: anEntry(path), base: known }), [])
  const params = { name: 'phone', number: 'call me', country: 'US' }
  assert.deepEqual(find({ row: anEntry(path) }), [{ code: 'undialable', params }])
  const other = anEntry(path, { fields: { intro: 'call me' } })
  assert.deepEqual(find({ row: other }), [{ code: 'undialable', params }])
})
