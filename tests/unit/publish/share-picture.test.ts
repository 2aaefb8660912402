import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawPicture, familiesOf } from '#src/publish/pictures/draw-picture.ts'
import { drawnText } from '#src/publish/pictures/drawing-fonts.ts'
import { wrapText } from '#src/publish/pictures/wrap-text.ts'
import {
  drawsPlaces,
  pictureOfService,
  pictureOfSite,
  sharePicture,
  toPictureView,
} from '#src/site/pages/share-picture.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'

const COLORS = { band: '#1c2766', on_band: '#ffffff', accent: '#ffc53d', primary: '#2f42a5' }
const WORDS = {
  colors: COLORS,
  siteName: 'Bluebonnet',
  title: 'AC repair',
  subtitle: 'Austin',
  footer: '(512) 555-0142',
}

test('a picture is named by its words', () => {
  const picture = sharePicture(WORDS)
  assert.match(picture?.path ?? '', /^\/og\/[0-9a-f]{20}\.png$/)
  assert.equal(sharePicture({ ...WORDS })?.path, picture?.path)
  for (const key of ['siteName', 'title', 'subtitle', 'footer']) {
    assert.notEqual(sharePicture({ ...WORDS, [key]: 'Other' })?.path, picture?.path, key)
  }
  const green = { ...COLORS, band: '#1d3b2c' }
  assert.notEqual(sharePicture({ ...WORDS, colors: green })?.path, picture?.path)
  assert.equal(picture?.alt, 'AC repair, Austin, Bluebonnet')
  assert.equal(sharePicture({ ...WORDS, title: 'Bluebonnet', subtitle: null }).alt, 'Bluebonnet')
})

test('a title is text in the picture, never markup', () => {
  const svg = drawPicture({ ...WORDS, title: '<image href="file:///etc/passwd"/> & co' })
  assert.doesNotMatch(svg, /<image/)
  assert.match(svg, /&#60;image/)
})

for (const [text, family] of [
  ['Müller & O’Brien — 24 h', 'Figtree'],
  ['Müller, O’Brien & 東', 'M PLUS 1p'],
  ['エアコン修理（家庭用）', 'M PLUS 1p'],
  ['Κλιματισμός', 'M PLUS 1p'],
  ['Ремонт', 'M PLUS 1p'],
  ['Đà Nẵng', 'M PLUS 1p'],
] as const) {
  test(`"${text}" is drawn whole, in ${family}`, () => {
    assert.deepEqual(drawnText(text), { family, text, isWhole: true })
    assert.match(
      drawPicture({ ...WORDS, title: text }),
      new RegExp(`font-family="${family}"[^>]*weight="800"`),
    )
    assert.ok(familiesOf({ ...WORDS, title: text }).has(family))
  })
}

test('characters without a font are left out, and so is a text made of them', () => {
  assert.deepEqual(drawnText('Tom’s Repair 🛠️'), { family: 'Figtree', text: 'Tom’s Repair', isWhole: false })
  assert.equal(drawnText('에어컨 수리').text, '')
  const svg = drawPicture({ ...WORDS, siteName: '서울냉방' })
  assert.doesNotMatch(svg, /[가-힣]/)
  assert.match(svg, />AC repair</)
})

test('a title without spaces breaks between its words', () => {
  const title = '家庭用エアコンの修理と分解クリーニング、取り付け工事まで当日対応いたします'
  const lines = wrapText(title, 8)
  assert.ok(lines.length > 3)
  assert.equal(lines.join(''), title)
  assert.ok(
    lines.every((line) => !/^[、。）ー]/.test(line)),
    lines.join('|'),
  )
})

test('a long title is set smaller, and the longest ends after three lines', () => {
  const sizeOf = (title: string) =>
    Number(/font-size="(\d+)" font-weight="800"/.exec(drawPicture({ ...WORDS, title }))?.[1])
  assert.equal(sizeOf('AC repair'), 88)
  assert.ok(sizeOf('Water heater replacement and emergency repair for large buildings') < 88)
  const endless = drawPicture({ ...WORDS, title: 'word '.repeat(100).trim() })
  assert.equal(endless.match(/font-weight="800"/g)?.length, 3)
  assert.match(endless, / …</)
})

test('lines break between words and lose none', () => {
  const text = 'Electrical panel upgrade in Heritage Hills'
  const lines = wrapText(text, 9)
  assert.ok(lines.length > 2)
  assert.equal(lines.join(' '), text)
})

test('wide letters take more of a line than narrow ones', () => {
  const widthOf = (letter: string) => {
    let width = 0
    while (wrapText(`${letter} ${letter}`, width).length > 1) width += 0.01
    return Math.round(width * 100)
  }
  const widths = ['i', 'a', 'A', 'm', '日'].map(widthOf)
  assert.deepEqual(
    widths,
    [...new Set(widths)].toSorted((a, b) => a - b),
  )
  for (const mark of ['。', '（']) assert.equal(widthOf(mark), widthOf('日'), mark)
})

test('a title has up to three lines; a longer one ends with …', () => {
  const word = 'maintainances'
  for (const [words, lines] of [
    [3, [word, word, word]],
    [4, [word, word, `${word} …`]],
  ] as const) {
    const svg = drawPicture({ ...WORDS, title: Array(words).fill(word).join(' ') })
    const drawn = [...svg.matchAll(/font-weight="800"[^>]*>([^<]*)</g)].map(([, line]) => line)
    assert.deepEqual(drawn, lines, String(words))
  }
})

test('a picture’s texts are placed around the middle, and empty ones left out', () => {
  const placesOf = (words: Partial<typeof WORDS> | object) => {
    const svg = drawPicture({ ...WORDS, ...words })
    const texts = svg.matchAll(/<text x="(\d+)" y="(\d+)"[^>]*font-size="(\d+)"[^>]*>([^<]*)</g)
    return [...texts].map(([, x, y, size, text]) => `${text} ${x},${y} ${size}`)
  }
  const [name, phone] = ['Bluebonnet 118,110 34', '(512) 555-0142 84,562 34']
  assert.deepEqual(placesOf({}), [name, 'AC repair 84,319 88', 'Austin 84,394 44', phone])
  assert.deepEqual(placesOf({ subtitle: null }), [name, 'AC repair 84,352 88', phone])
  assert.deepEqual(placesOf({ subtitle: null, footer: null }), [name, 'AC repair 84,352 88'])
  assert.deepEqual(placesOf({ title: 'Water heater replacement' }), [
    ...[name, 'Water heater 84,270 88', 'replacement 84,367 88', 'Austin 84,442 44', phone],
  ])
})

test('places have pictures of their own up to 5,000, unless site.yaml says otherwise', () => {
  const places = (count: number) => new Map([[1, new Set(Array.from({ length: count }, (_, id) => id))]])
  const settings = (more: object) => siteSettings.parse({ name: 'Bluebonnet', ...more })
  assert.equal(drawsPlaces(settings({}), places(5_000)), true)
  assert.equal(drawsPlaces(settings({}), places(5_001)), false)
  assert.equal(drawsPlaces(settings({ share_pictures: 'place' }), places(5_001)), true)
  assert.equal(drawsPlaces(settings({ share_pictures: 'service' }), places(1)), false)
})

test('a shared page shows its service and place, or what the business does, with a phone number', () => {
  const settings = siteSettings.parse({
    name: 'Bluebonnet',
    tagline: 'We cool Texas',
    phone: '(512) 555-0142',
  })
  const place = (phone: string | null) => ({ name: 'Austin', phone })
  for (const [picture, title, subtitle, footer, alt] of [
    [pictureOfSite(settings), 'We cool Texas', null, '(512) 555-0142', 'We cool Texas, Bluebonnet'],
    [pictureOfService(settings, 'AC repair'), 'AC repair', null, '(512) 555-0142', 'AC repair, Bluebonnet'],
    [
      pictureOfService(settings, 'AC repair', place('512 1')),
      ...(['AC repair', 'Austin', '512 1', 'AC repair, Austin, Bluebonnet'] as const),
    ],
    [
      pictureOfService(settings, 'AC repair', place(null)),
      ...(['AC repair', 'Austin', '(512) 555-0142', 'AC repair, Austin, Bluebonnet'] as const),
    ],
  ] as const) {
    assert.deepEqual(picture.drawing, { colors: COLORS, siteName: 'Bluebonnet', title, subtitle, footer })
    assert.deepEqual(toPictureView(picture), { path: picture.path, alt })
  }
  assert.equal(toPictureView(undefined), undefined)
  assert.equal(pictureOfSite({ ...settings, tagline: null }).drawing.title, 'Bluebonnet')
})
