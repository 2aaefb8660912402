import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOption } from '#src/forms/fields/field-option.ts'
import { sampleAnswers } from '#src/webhooks/body/sample-answers.ts'

const IRELAND = { country: 'IE' }

test('§2.2 a made-up choice is a value that the form would store', () => {
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

test('a made-up phone number is one of the country of the site', () => {
  const phone = { name: 'phone', type: 'phone', options: [] }
  assert.deepEqual(sampleAnswers([phone], IRELAND), { phone: '+353 85 012 3456' })
})

test('contract §5 made-up answers have the JSON type that real ones have', () => {
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
