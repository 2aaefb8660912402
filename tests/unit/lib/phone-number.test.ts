import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from '#src/lib/locale/countries.ts'
import { phoneExample, toDialable, toNationalNumber } from '#src/lib/locale/phone-number.ts'

for (const [written, country, dialed] of [
  ['+353 (0)61 555 0142', 'US', '+353615550142'],
  ['+353 (0)61 555 0142', 'IE', '+353615550142'],
  ['061 555 0142', 'IE', '+353615550142'],
  ['(512) 555-0142', 'US', '+15125550142'],
  ['011 353 61 555014', 'US', '+35361555014'],
  ['(512) 555-0142 ext. 5', 'US', '+15125550142'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['+49 (0)30/123456', 'US', '+4930123456'],
  ['030/123456', 'DE', '+4930123456'],
  ['０３-１２３４-５６７８', 'JP', '+81312345678'],
  ['13 11 12', 'AU', '+61131112'],
] as const) {
  test(`${written} in ${country} is dialed as ${dialed}`, () => {
    assert.equal(toDialable(written, country), dialed)
  })
}

for (const [what, written, country] of [
  ['two numbers', '+353 (0)61 555 0142 / 087 123 4567', 'IE'],
  ['two numbers that would be one of the right length', '05 1234 / 05 5678', 'AT'],
  ['two numbers on two lines', '(512) 555-0142\n(512) 555-0143', 'US'],
  ['a number without its area code', '555-0142', 'US'],
  ['a number and words', 'Call (512) 555-0142', 'US'],
  ['no number', 'by appointment', 'US'],
] as const) {
  test(`${what} cannot be dialed`, () => {
    assert.equal(toDialable(written, country), undefined)
  })
}

test('every country has an internationally dialable example', () => {
  assert.deepEqual(
    ['IE', 'US', 'JP'].map((country) => phoneExample(country)),
    ['+353 85 012 3456', '+1 201 555 0123', '+81 90 1234 5678'],
  )
  assert.equal(phoneExample('ZZ'), phoneExample('US'))
  for (const { code } of COUNTRIES) assert.ok(toDialable(phoneExample(code), 'US'), code)
})

test('only a dialable number has a national number, without leading zeros', () => {
  assert.deepEqual(toNationalNumber('061 555 0142', 'IE'), { countryCode: '353', digits: '615550142' })
  assert.deepEqual(toNationalNumber('+39 06 6982 1234', 'US'), { countryCode: '39', digits: '669821234' })
  assert.equal(toNationalNumber('call me', 'IE'), undefined)
})
