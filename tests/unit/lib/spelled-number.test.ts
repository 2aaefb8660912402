import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceNumber } from '#src/lib/locale/spelled-number.ts'

const US = { value: '(512) 555-0142', digits: '5125550142', countryCode: '1' }
const IRISH = { value: '061 555 0142', digits: '615550142', countryCode: '353' }
const NEW = { value: '(512) 555-0100', dialable: '+15125550100' }

for (const [what, former, before, after] of [
  ['as entered', US, 'Call (512) 555-0142.', 'Call (512) 555-0100.'],
  ['over two lines', US, 'Call (512)\n555-0142 now', 'Call (512) 555-0100 now'],
  ['with hyphens', US, '512-555-0142', '(512) 555-0100'],
  ['with a country code', US, '+1 512.555.0142', '(512) 555-0100'],
  ['in emphasis', US, '**512-555-0142**', '**(512) 555-0100**'],
  ['in parentheses', US, '(512-555-0142)', '((512) 555-0100)'],
  ['with an extension', US, '512-555-0142 ext. 5', '(512) 555-0100 ext. 5'],
  ['as a link', US, '[(512) 555-0142](tel:512-555-0142)', '[(512) 555-0100](tel:+15125550100)'],
  ['in an address', US, 'https://wa.me/15125550142?a', 'https://wa.me/15125550100?a'],
  ['with an area code’s zero', IRISH, '+353 (0)61 555 0142', '(512) 555-0100'],
  ['with only the zero', IRISH, '(061) 555 0142', '(512) 555-0100'],
  ['within a longer number', US, '95125550142 and 51255501427', '95125550142 and 51255501427'],
  ['in a file name', US, '![](van-5125550142.jpg)', '![](van-5125550142.jpg)'],
  ['in a path', US, '/5125550142 and /512-555-0142', '/15125550100 and /(512) 555-0100'],
  ['as digits', US, 'Call 5125550142', 'Call (512) 555-0100'],
  ['in a path with a plus sign', US, '/+15125550142', '/+15125550100'],
  ['another number', US, '(512) 555-0143', '(512) 555-0143'],
] as const)
  test(`a former number is replaced ${what}`, () => {
    assert.equal(replaceNumber(before, former, NEW), after)
  })

test('two numbers in one field are replaced as entered', () => {
  const former = { value: '061 1 / 087 2' }
  assert.equal(replaceNumber('Call 061 1 / 087 2.', former, NEW), 'Call (512) 555-0100.')
})

test('signs in a number that can’t be dialed stand for themselves', () => {
  const former = { value: '1 (800) FLOWERS+' }
  assert.equal(replaceNumber('Call 1 (800) FLOWERS+.', former, NEW), 'Call (512) 555-0100.')
  assert.equal(replaceNumber('Call 1 800 FLOWERS.', former, NEW), 'Call 1 800 FLOWERS.')
})

test('a number without a country code is replaced, also in links if the new one can’t be dialed', () => {
  const former = { value: '555-0142', digits: '5550142' }
  const spelled = (text: string) => replaceNumber(text, former, { value: '555-0100', dialable: undefined })
  assert.equal(spelled('555 0142, tel:5550142, /5550142'), '555-0100, tel:555-0100, /555-0100')
  assert.equal(spelled('1 555 0142'), '1 555-0100')
})
