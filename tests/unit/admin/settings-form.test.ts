import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changesOf,
  LISTS,
  listTexts,
  nameChanges,
  toFormValues,
  typedRows,
} from '#src/admin/settings/settings-form.ts'
import { HOME_SCREEN, SETTINGS_SCREEN, settingsOf } from '#src/admin/settings/settings-screen.ts'
import { listChanged } from '#src/admin/settings/versioned-settings.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'

const STORED = siteSettings.parse({
  ...{ name: ' Acme ', tagline: 'We fix it', address: '1 Main St\nAustin', quality_threshold: 40 },
  phones: [
    { label: 'Emergencies', number: '512-555-0100' },
    { label: 'Office ', number: '512-555-0101' },
  ],
  ...{ attribution: false, home: { title: 'Welcome' } },
})

/** Returns what a form with these fields changes; without other fields, nothing else. */
const changed = (values: Parameters<typeof changesOf>[0]) => changesOf(values, STORED)
const whole = (values: Parameters<typeof changesOf>[0]) => changed({ ...toFormValues(STORED), ...values })

test('a form that came back as it was shown changes nothing', () => {
  const values = toFormValues(STORED)
  assert.deepEqual(
    [values.name, values.address, values.quality_threshold, values.attribution, values['home.title']],
    [' Acme ', '1 Main St\nAustin', '40', 'false', 'Welcome'],
  )
  assert.deepEqual(values['phones.label'], ['Emergencies', 'Office '])
  assert.deepEqual([whole({}), changed({})], [{}, {}])
})

test('only what was typed is changed', () => {
  assert.deepEqual(changed({ tagline: ' We fix everything ' }), { tagline: 'We fix everything' })
  assert.deepEqual(changed({ tagline: '' }), { tagline: undefined })
  assert.deepEqual(changed({ quality_threshold: '60' }), { quality_threshold: 60 })
  // The schema says what is wrong.
  assert.deepEqual(changed({ quality_threshold: 'x', attribution: 'x' }), {
    quality_threshold: Number.NaN,
    attribution: 'x',
  })
  assert.deepEqual(changed({ attribution: 'true' }), { attribution: true })
  assert.deepEqual(changed({ record_reading: 'false' }), { record_reading: false })
  assert.deepEqual(changed({ address: '2 Main St\r\nAustin' }), { address: '2 Main St\nAustin' })
  // A line break in a text of several lines is a change.
  assert.deepEqual(changed({ address: '1 Main St Austin' }), { address: '1 Main St Austin' })
  const { home } = changed({ 'home.title': 'Hello' }) as { home: object }
  assert.partialDeepStrictEqual(home, { title: 'Hello' })
})

test('rows are added, moved, and removed, and keep their stored form', () => {
  const phones = (label: string[], number: string[]) =>
    changed({ 'phones.label': label, 'phones.number': number })
  const [first, second] = STORED.phones ?? []
  assert.deepEqual(phones(['Emergencies', 'Office', ''], ['512-555-0100', '512-555-0101', '']), {})
  assert.deepEqual(phones(['Office', 'Emergencies'], ['512-555-0101', '512-555-0100']), {
    phones: [second, first],
  })
  assert.deepEqual(phones(['', 'Sales'], ['', '512-555-0102']), {
    phones: [{ label: 'Sales', number: '512-555-0102' }],
  })
  assert.deepEqual(phones(['Office', ''], ['', '512-555-0101']), {
    phones: [
      { label: 'Office', number: '' },
      { label: '', number: '512-555-0101' },
    ],
  })
  // A list without rows has only a field of its name.
  assert.deepEqual(changed({ phones: '' }), { phones: [] })
  const list = LISTS.find(({ name }) => name === 'phones')
  assert.ok(list)
  assert.deepEqual(typedRows({ 'phones.label': ['A', ''], 'phones.number': '1' }, list), [
    { label: 'A', number: '1' },
    { label: '', number: '' },
  ])
})

test('a list of pictures is typed, or chosen from those offered, each once', () => {
  const gallery = (values: Parameters<typeof changesOf>[0]) =>
    (changed(values) as { home?: { gallery?: string[] } }).home?.gallery
  assert.deepEqual(gallery({ 'home.gallery': 'a.jpg\nb.jpg\na.jpg' }), ['a.jpg', 'b.jpg'])
  assert.deepEqual(gallery({ 'home.gallery': ['a.jpg', 'b.jpg'], 'home.gallery.more': 'c.jpg' }), [
    ...['a.jpg', 'b.jpg', 'c.jpg'],
  ])
  const stored = siteSettings.parse({ name: 'Acme', home: { gallery: ['a.jpg', 'b.jpg'] } })
  assert.equal(toFormValues(stored)['home.gallery'], 'a.jpg\nb.jpg')
})

test('a default order of sections isn’t stored', () => {
  const values = toFormValues(STORED)
  const all = values['sections.home.all'] as string[]
  const shown = values['sections.home.shown'] as string[]
  assert.ok(all.length > 2)
  const place = all.map((_, index) => String(index + 1))
  const order = (given: { place?: string[]; shown?: string[] }) =>
    changed({
      'sections.home.all': all,
      'sections.home.place': given.place ?? place,
      'sections.home.shown': given.shown ?? shown,
    })
  assert.deepEqual(order({}), {})
  const backwards = place.toReversed()
  assert.deepEqual(order({ place: backwards }).sections?.home?.slice(-1), [all[0]])
  const { sections } = order({ shown: shown.slice(1) })
  assert.ok(sections?.home && !sections.home.includes(shown[0] ?? ''))
  assert.deepEqual(Object.keys(sections), ['home'])
  const [first = '', second = ''] = shown
  const few = toFormValues({
    ...STORED,
    sections: { ...sections, home: [second, `-${first}`] },
  } as typeof STORED)
  assert.deepEqual([few['sections.home.shown'], few['sections.home.all']?.length], [[second], all.length])
})

test('changes are named as on their screens, each once', () => {
  assert.deepEqual(nameChanges({ name: 'Acme Air' }, STORED), ['Name'])
  assert.deepEqual(nameChanges({ tagline: STORED.tagline }, STORED), [])
  const phones = [{ label: 'Sales', number: '1' }]
  const names = nameChanges({ phones, home: { ...STORED.home, title: 'Hello' } }, STORED)
  assert.equal(names.length, 2)
  const settings = { ...STORED, name: 'Acme Air', phones, home: { ...STORED.home, title: 'Hello' } }
  const edited = { saved: STORED, settings }
  assert.equal(listChanged(SETTINGS_SCREEN, edited).length, 2)
  assert.deepEqual(listChanged(HOME_SCREEN, edited), ['Title in search results'])
  assert.deepEqual(listChanged(HOME_SCREEN, { saved: STORED, settings: STORED }), [])
})

test('texts of settings have their labels, and an address is a link', () => {
  const settings = siteSettings.parse({ name: 'Acme', navigation: [{ label: 'Prices', path: '/prices' }] })
  const texts = listTexts(settings, settingsOf(SETTINGS_SCREEN))
  const menu = texts.find(({ text }) => JSON.stringify(text).includes('Prices'))
  assert.deepEqual(menu?.text, [['Prices'], ['[](/prices)']])
  assert.ok(texts.some(({ label, text }) => label === 'Name' && text === 'Acme'))
  const onHome = listTexts(settings, settingsOf(HOME_SCREEN))
  assert.equal(
    onHome.some(({ text }) => text === 'Acme'),
    false,
  )
})
