import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesInText, namesInValues } from '#src/pictures/named-pictures.ts'

const LONGEST = `${'x'.repeat(116)}.jpg`

const TEXTS: readonly [text: string, ...names: string[]][] = [
  ['![Our van](van.jpg)', 'van.jpg'],
  ['![Our van](../pictures/van.jpg "A title")', 'van.jpg'],
  ['![Our van](<our van.jpg>)', 'our van.jpg'],
  ['![Our van](our%20van.jpg)', 'our van.jpg'],
  ['![Our van](van_(2).jpg)', 'van_(2).jpg'],
  ['![Our van][van]\n\n[van]: van.jpg', 'van.jpg'],
  ['<img alt="" src="van.jpg">', 'van.jpg'],
  ["<IMG SRC = 'van.jpg'>", 'van.jpg'],
  [`![](${LONGEST})`, LONGEST],
  [`![](x${LONGEST})`],
  ['![Our van](https://example.com/van.jpg)'],
  ['![Our van](//example.com/van.jpg)'],
  ['![Our van](/van.jpg)'],
  [`![](${'é.jpg'.normalize('NFD')})`, 'é.jpg'],
  ['van.jpg'],
]

for (const [text, ...names] of TEXTS)
  test(`the pictures in ${text.slice(0, 60)} are ${names.join(', ').slice(0, 30) || 'none'}`, () => {
    const found = namesInText(text)
    // Extra names do no harm: a bracket of the text may belong to the name.
    for (const name of names) assert.ok(found.has(name), JSON.stringify([...found]))
    if (names.length === 0) assert.deepEqual([...found], [])
  })

const VALUES: readonly [value: unknown, ...names: string[]][] = [
  ['van.jpg', 'van.jpg'],
  ['é.jpg'.normalize('NFD'), 'é.jpg'],
  ['VAN.JPEG', 'VAN.JPEG'],
  [LONGEST, LONGEST],
  [`x${LONGEST}`],
  ['Two\nlines.jpg'],
  ['van.j'],
  ['van.jpg2000'],
  ['van.jpg, our van'],
  [''],
  [12],
  [null],
  [{ picture: 'van' }, 'van'],
  [{ picture: '' }],
  [{ title: 'van' }],
  [
    { steps: [{ photo: 'a.png' }, { photo: 'b.webp', text: 'c' }], hero: 'd.jpg' },
    'a.png',
    'b.webp',
    'd.jpg',
  ],
  [{ picture: ['van', 'roof'] }, 'roof', 'van'],
]

for (const [value, ...names] of VALUES)
  test(`the picture names in ${JSON.stringify(value).slice(0, 60)} are ${names.join(', ').slice(0, 30) || 'none'}`, () => {
    assert.deepEqual([...namesInValues(value)].sort(), names)
  })
