import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, optionsOf } from '#src/admin/forms/options/option-lines.ts'

test('choices as rows and as text are equivalent', () => {
  const text = 'Under 500/under-500\nOver 500\n24/7 service/always'
  assert.deepEqual(optionsOf(`${text}\n \n`), [
    { label: 'Under 500', value: 'under-500' },
    { label: 'Over 500', value: 'Over 500' },
    { label: '24/7 service', value: 'always' },
  ])
  assert.equal(linesOf(optionsOf(text)), text)
})

test('a row without a value stores its label, and an empty row stores nothing', () => {
  assert.equal(
    linesOf([
      { label: ' Yes ', value: '' },
      { label: '', value: '' },
      { label: 'No', value: ' ' },
    ]),
    'Yes\nNo',
  )
})
