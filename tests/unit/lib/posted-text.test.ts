import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepUntouched, postedText } from '#src/lib/posted-text.ts'

for (const [what, stored, posted] of [
  ['a line break at the end', '1 Quay St\nLimerick\n', '1 Quay St\r\nLimerick\r\n'],
  ['a line break at the start, which the browser drops', '\nLimerick', 'Limerick'],
  ['white space at the ends', '  Limerick ', 'Limerick'],
  ['line breaks of another system', '1 Quay St\r\nLimerick', '1 Quay St\nLimerick'],
] as const) {
  test(`a text with ${what} posted back keeps its stored form`, () => {
    assert.equal(postedText(posted, { stored }), stored)
  })
}

test('an input posts its text without line breaks; joining two lines of a text area is an edit', () => {
  assert.equal(postedText('AB', { stored: 'A\nB', isOneLine: true }), 'A\nB')
  assert.equal(postedText('AB', { stored: 'A\nB' }), 'AB')
})

test('an edited text is trimmed', () => {
  assert.equal(postedText(' Ennis\r\nClare\r\n', { stored: 'Limerick\n' }), 'Ennis\nClare')
  assert.equal(postedText('Ennis\rClare', { stored: 'Limerick' }), 'Ennis\nClare')
})

test('untouched values keep their stored form, key by key', () => {
  const shown = { name: 'Ennis', tags: ['a'], note: null }
  const stored = { name: ' Ennis ', tags: ['a', null], note: '' }
  const after = (edited: object) => keepUntouched(edited, { shown, stored })
  assert.deepEqual(after(shown), stored)
  assert.deepEqual(after({ name: 'Quin', tags: ['a'], note: undefined }), { ...stored, name: 'Quin' })
  assert.deepEqual(after({ tags: [], more: 1 }), { tags: [], more: 1 })
})
