import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownParagraph } from '#src/admin/editing/pictures/own-paragraph.ts'

const IMAGE = '![Van](van.jpg)'

for (const [typed, expected] of [
  ['Before |after', `Before\n\n${IMAGE}\n\nafter`],
  ['Be|fore', `Be\n\n${IMAGE}\n\nfore`],
  ['Before |', `Before\n\n${IMAGE}`],
  ['|', IMAGE],
  ['\n|\n', IMAGE],
  ['|after', `${IMAGE}\n\nafter`],
  ['Before\n|after', `Before\n\n${IMAGE}\n\nafter`],
  ['Before|\nafter', `Before\n\n${IMAGE}\n\nafter`],
  ['Before\n\n|\n\n\nafter', `Before\n\n${IMAGE}\n\nafter`],
  ['Before\n\n|    code', `Before\n\n${IMAGE}\n\n    code`],
  ['Before|\n\n    code', `Before\n\n${IMAGE}\n\n    code`],
  ['Before |  after', `Before\n\n${IMAGE}\n\nafter`],
  ['|\nafter', `${IMAGE}\n\nafter`],
  ['Before\n|one\ntwo', `Before\n\n${IMAGE}\n\none\ntwo`],
  ['Before |one two\n\nthree', `Before\n\n${IMAGE}\n\none two\n\nthree`],
  ['Before |old| after', `Before\n\n${IMAGE}\n\nafter`],
] as const)
  test(`a picture in ${JSON.stringify(typed)} has its own paragraph`, () => {
    const [before = '', selected = '', after] = typed.split('|')
    const value = typed.replaceAll('|', '')
    const end = after === undefined ? before.length : before.length + selected.length
    const { text, ...range } = ownParagraph(IMAGE, { value, start: before.length, end })
    assert.equal(value.slice(0, range.start) + text + value.slice(range.end), expected)
  })
