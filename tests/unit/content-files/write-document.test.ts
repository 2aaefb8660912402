import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import type { EntryDocument } from '#src/content-files/document.ts'
import { splitFrontMatter } from '#src/content-files/parsing/front-matter.ts'
import { writeDocument } from '#src/content-files/write-document.ts'

function anEntry(entry: Partial<EntryDocument>): EntryDocument {
  const defaults = {
    kind: 'entry',
    type: 'pages',
    slug: 'about',
    title: 'About',
    status: 'published',
  } as const
  return { ...defaults, terms: {}, fields: {}, body: '', ...entry }
}

test('keys are written in reading order, without defaults and empty values', () => {
  const entry = anEntry({ fields: { summary: 'Short' }, terms: { moods: ['calm', 'dry'] }, body: '## Hello' })
  assert.equal(
    writeDocument(entry),
    '---\ntitle: About\nsummary: Short\nterms:\n  moods: [calm, dry]\n---\n\n## Hello\n',
  )
})

test('an entry without its own content is two fences', () => {
  assert.equal(writeDocument(anEntry({ title: '' })), '---\n---\n')
})

test('long texts are folded, and multiline texts are written line by line', () => {
  const long = 'A sentence that goes on and on, '.repeat(6).trim()
  const written = writeDocument(anEntry({ fields: { summary: long, address: 'One\nTwo\n' } }))
  assert.match(written, /summary: >-\n {2}A sentence/)
  assert.match(written, /address: \|\n {2}One\n {2}Two\n/)
})

test('a long key stays on its line', () => {
  const key = `A key ${'that goes on '.repeat(10)}`.trim()
  const written = writeDocument(anEntry({ fields: { values: { [key]: 'x', 'a: b': ' y ', '': '1' } } }))
  assert.equal(written, `---\ntitle: About\nvalues:\n  ${key}: x\n  "a: b": " y "\n  "": "1"\n---\n`)
})

test('any text reads back as written', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.lorem({ maxCount: 40 }),
    fc
      .array(fc.constantFrom('word', '  ', ' ', '\n', 'long'.repeat(30), '#', 'a: b'), { maxLength: 40 })
      .map((parts) => parts.join('')),
    fc
      .array(fc.constantFrom('a', ' ', '\n', '---', '#', ': ', '\t', '\r', '- ', '|', '"'))
      .map((parts) => parts.join('')),
    fc.constantFrom('null', '1', 'yes', '2026-11-20', '~'),
  )
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1 }), (summary, includes) => {
      const fields = { summary, includes }
      const { yaml = '' } = splitFrontMatter(writeDocument(anEntry({ fields }))) ?? {}
      const { title: _, ...read } = parse(yaml)
      assert.deepEqual(read, fields)
    }),
    { numRuns: 200 },
  )
})
