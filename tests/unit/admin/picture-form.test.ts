import assert from 'node:assert/strict'
import { test } from 'node:test'
import { libraryPath, readChoiceQuery } from '#src/admin/pictures/library-query.ts'
import { readPictureForm, toFormValues } from '#src/admin/pictures/picture-form.ts'
import { faultOfAlt, readAlt } from '#src/admin/pictures/receive-descriptions.ts'
import type { Picture } from '#src/pictures/picture.ts'

const PICTURE = {
  ...{ name: 'van.png', alt: 'Our van', focalPoint: [0.25, 0.125], tags: ['van', 'team'] },
  crop: { x: 0.1, y: 0.2, width: 0.5, height: 0.25 },
} as unknown as Picture
const WHOLE = { ...PICTURE, focalPoint: null, crop: null }

test('a picture’s form shows percentages, and reads what it showed', () => {
  const values = toFormValues(PICTURE)
  assert.deepEqual(values, {
    ...{ alt: 'Our van', focus_x: '25', focus_y: '12.5', tags: 'van, team' },
    ...{ left: '10', top: '20', width: '50', height: '25' },
  })
  const { alt, focalPoint, crop, tags } = PICTURE
  assert.deepEqual(readPictureForm(values), { change: { alt, focalPoint, crop, tags } })
  const whole = toFormValues(WHOLE)
  assert.deepEqual([whole.focus_x, whole.focus_y, whole.left, whole.height], ['50', '50', '', ''])
  assert.deepEqual(readPictureForm(whole), { change: { alt, focalPoint: null, crop: null, tags } })
  assert.equal(toFormValues({ ...PICTURE, alt: '' }).decorative, 'on')
  const undescribed = toFormValues({ ...PICTURE, alt: null })
  assert.deepEqual([undescribed.alt, undescribed.decorative], ['', undefined])
})

test('a crop of the whole picture is none', () => {
  const read = readPictureForm({ ...toFormValues(WHOLE), left: '0', top: '0', width: '100', height: '100' })
  assert.deepEqual('change' in read && read.change.crop, null)
  const wide = readPictureForm({ ...toFormValues(WHOLE), left: '0', top: '0', width: '100', height: '50' })
  assert.deepEqual('change' in wide && wide.change.crop, { x: 0, y: 0, width: 1, height: 0.5 })
  const tall = readPictureForm({ ...toFormValues(WHOLE), left: '0', top: '0', width: '50', height: '100' })
  assert.deepEqual('change' in tall && tall.change.crop, { x: 0, y: 0, width: 0.5, height: 1 })
  const none = readPictureForm({ ...toFormValues(WHOLE), left: ' ', top: ' ', width: ' ', height: ' ' })
  assert.equal('change' in none && none.change.crop, null)
})

test('one coordinate in the middle is not the middle of the picture', () => {
  const read = readPictureForm({ ...toFormValues(WHOLE), focus_x: '50', focus_y: ' 12.34 ' })
  assert.deepEqual('change' in read && read.change.focalPoint, [0.5, 0.123])
})

test('mistakes in a picture’s form are shown at their inputs', () => {
  const faultsOf = (changes: Record<string, string>) => {
    const read = readPictureForm({ ...toFormValues(PICTURE), ...changes })
    return 'faults' in read ? Object.entries(read.faults).map(([input, { code }]) => `${input} ${code}`) : []
  }
  for (const [changes, faults] of [
    [{ focus_x: '100', focus_y: '0' }, []],
    [{ focus_x: '100.1', focus_y: '-1' }, ['focus_x percent_invalid', 'focus_y percent_invalid']],
    [{ focus_x: ' ', focus_y: 'left' }, ['focus_x percent_invalid', 'focus_y percent_invalid']],
    [{ left: '' }, ['width crop_invalid']],
    [{ left: '60' }, ['width crop_invalid']],
    [{ alt: ' ' }, ['alt alt_missing']],
    [{ tags: 'x'.repeat(500) }, ['tags tags_invalid']],
  ] as const)
    assert.deepEqual(faultsOf(changes), faults, JSON.stringify(changes))
})

test('tags are separated by commas, each once', () => {
  const read = readPictureForm({ ...toFormValues(PICTURE), tags: ' van ,, team,van ' })
  assert.deepEqual('change' in read && read.change.tags, ['van', 'team'])
})

test('a description is given, or the picture is decorative', () => {
  assert.equal(readAlt({ alt: ' Our van ' }), 'Our van')
  assert.equal(readAlt({ alt: 'Our van', decorative: 'on' }), '')
  assert.equal(readAlt({ 'alt.7': 'Our van', 'decorative.8': 'on' }, '7'), 'Our van')
  assert.deepEqual([readAlt({}), readAlt({ alt: ' ' })], [undefined, undefined])
  assert.deepEqual([faultOfAlt('x'.repeat(500)), faultOfAlt('x'.repeat(501))?.code], [undefined, 'too_long'])
  assert.deepEqual([faultOfAlt(undefined)?.code, faultOfAlt('')], ['alt_missing', undefined])
})

test('the address of the library has what differs from its start', () => {
  const read = (query: string) => readChoiceQuery(new URLSearchParams(query))
  const asked = read('q= roof &tag=van&show=unused&page=3')
  assert.deepEqual(asked, { search: 'roof', tag: 'van', state: 'unused', page: 3, alsoUsed: new Map() })
  assert.equal(libraryPath(asked, 3), '/admin/pictures?q=roof&tag=van&show=unused&page=3')
  assert.equal(libraryPath(read('show=deleted')), '/admin/pictures')
  assert.deepEqual(
    ['page=0', 'page=-3', 'page=x', 'page=2.9', 'page=99999'].map((query) => read(query).page),
    [1, 1, 1, 2, 10_000],
  )
  const long = read(`q=${'x'.repeat(101)}&tag=${'y'.repeat(101)}`)
  assert.deepEqual([long.search.length, long.tag.length], [100, 100])
})
