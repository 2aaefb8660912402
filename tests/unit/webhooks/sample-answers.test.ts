import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOption } from '#src/forms/fields/field-option.ts'
import { sampleAnswers } from '#src/webhooks/body/sample-answers.ts'

const IRELAND = { country: 'IE' }

test('§2.2 a sample choice is a value that the form would store', () => {
  for (const option of ['High / high', 'And/or/both', ' plain ', '100', 'Zero/0']) {
    const { value } = parseOption(option)
    const options = [option, 'Low/low']
    const choices = ['select', 'radio', 'checkbox'].map((type) => ({ name: type, type, options }))
    assert.deepEqual(
      sampleAnswers(choices, IRELAND),
      { select: value, radio: value, checkbox: [value] },
      option,
    )
  }
})

test('a sample phone number is from the site’s country', () => {
  const phone = { name: 'phone', type: 'phone', options: [] }
  assert.deepEqual(sampleAnswers([phone], IRELAND), { phone: '+353 85 012 3456' })
})

test('contract §5 sample answers have the JSON types of real ones', () => {
  const types = ['text', 'number', 'checkbox', 'date', 'file']
  const answers = sampleAnswers(
    types.map((type) => ({ name: type, type, options: [] })),
    IRELAND,
  )
  assert.deepEqual(
    types.map((type) => typeof answers[type]),
    ['string', 'number', 'boolean', 'string', 'object'],
  )
})

test('contract §5 a sample file, address, and choice look like real ones', () => {
  const types = ['file', 'url', 'select']
  assert.deepEqual(
    sampleAnswers(
      types.map((type) => ({ name: type, type, options: [] })),
      IRELAND,
    ),
    {
      file: { name: 'sample.pdf', size: 1024, type: 'application/pdf', upload_id: 0 },
      url: 'https://www.example.com',
      select: 'Sample',
    },
  )
})
