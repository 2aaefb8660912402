import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitFrontMatter } from '#src/content-files/parsing/front-matter.ts'
import { parseLocatedYaml } from '#src/content-files/parsing/located-yaml.ts'

function parsed(text: string, firstLine = 1) {
  const result = parseLocatedYaml(text, { firstLine })
  assert.equal(result.kind, 'parsed')
  return result.yaml
}

test('a path resolves to the line of its key or list item', () => {
  const yaml = parsed('name: A\nlist:\n  - one\n  - key: two\n    other: three\n')
  assert.equal(yaml.lineOf(['list']), 2)
  assert.equal(yaml.lineOf(['list', 0]), 3)
  assert.equal(yaml.lineOf(['list', 1, 'other']), 5)
})

test('a missing key has the line of its parent', () => {
  const yaml = parsed('name: A\nlist:\n  - key: one\n')
  assert.equal(yaml.lineOf(['list', 0, 'other']), 3)
  assert.equal(yaml.lineOf(['title']), 1)
})

test('lines are counted from the text’s start in its file', () => {
  const parts = splitFrontMatter('---\ntitle: A\nstatus: draft\n---\nBody')
  assert.ok(parts)
  assert.equal(parsed(parts.yaml, parts.firstLine).lineOf(['status']), 3)
})

test('an empty text is an object without keys', () => {
  assert.deepEqual(parsed('').value, {})
})

for (const [text, line] of [
  ['a: 1\na: 2\n', 2],
  ['a: "open\n', 1],
  ['a: 1\nb: "open\nc: 1\n', 2],
  ["a: 1\nb: 's open\nc: 1\n", 2],
  ['a: 1\nb: [open\nc: 1\n', 2],
  ['a: 1\nb:\n  - { c: #open, d: 1 }\ne: 1\n', 3],
  ['a: 1\n b: 2\n', 1],
  ['a: *nowhere\n', 1],
  ['a: 1\nb: &b [{ c: *b }]\n', 2],
  ['a: 1\n---\nb: 2\n', 2],
  ['a: 1\nb: "\\0"\n', 2],
  ['a: 1\nb: "\\uD800"\n', 2],
] as const) {
  test(`${JSON.stringify(text)} is broken on line ${line}`, () => {
    const result = parseLocatedYaml(text, { firstLine: 1 })
    assert.equal(result.kind, 'broken')
    assert.equal(result.mistakes[0]?.line, line)
  })
}

for (const text of ['a: [[[', 'a: { b: ${C}, d: ${E} }\n', 'a: 1\n  b: 2\n']) {
  test(`${JSON.stringify(text)} has one error, reported once`, () => {
    const result = parseLocatedYaml(text, { firstLine: 1 })
    assert.equal(result.kind === 'broken' && result.mistakes.length, 1)
  })
}

test('the Markdown body is unchanged except for surrounding blank lines', () => {
  const text = '---\ntitle: A\n---\n\n\n    code\n\n---\n\ntext  \n\n'
  assert.equal(splitFrontMatter(text)?.body, '    code\n\n---\n\ntext')
})
