import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Picture } from '#src/pictures/picture.ts'
import { iconPaths, iconSource } from '#src/site/pictures/site-icon.ts'
import { logoView } from '#src/site/pictures/site-logo.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { aPicture } from '../../support/pictures.ts'

const MARK = aPicture({ name: 'mark.png', width: 300, height: 300 })
const WORDMARK = aPicture({ name: 'wordmark.png', width: 400, height: 120 })
const WHITE = aPicture({ name: 'white.png', width: 400, height: 120 })
const PICTURES = new Map<string, Picture>([MARK, WORDMARK, WHITE].map((picture) => [picture.name, picture]))

const settingsWith = (more: object) => siteSettings.parse({ name: 'éire Plumbing', ...more })

test('the icon is the square picture, or a mark, or the first letter for a wordmark', () => {
  const sourceOf = (more: object) => iconSource(settingsWith(more), PICTURES)
  assert.equal(sourceOf({}), null)
  assert.equal(sourceOf({ logo: 'gone.png' }), null)
  assert.deepEqual(sourceOf({ logo: MARK.name }), { kind: 'picture', picture: MARK })
  assert.deepEqual(sourceOf({ logo: WORDMARK.name, icon: MARK.name }), { kind: 'picture', picture: MARK })
  const letter = sourceOf({ logo: WORDMARK.name })
  assert.ok(letter?.kind === 'letter')
  assert.equal(letter.letter, 'É')
  assert.deepEqual(sourceOf({ logo: WORDMARK.name, logo_shows_name: false }), {
    kind: 'picture',
    picture: WORDMARK,
  })
})

test('an icon’s address changes with its picture, crop, or color', () => {
  const crop = { x: 0, y: 0, width: 0.5, height: 0.5 }
  const colors = { band: '#000000', on_band: '#ffffff' }
  const paths = [
    iconPaths({ kind: 'picture', picture: MARK }),
    iconPaths({ kind: 'picture', picture: { ...MARK, crop } }),
    iconPaths({ kind: 'letter', letter: 'A', colors }),
    iconPaths({ kind: 'letter', letter: 'A', colors: { ...colors, band: '#111111' } }),
  ]
  assert.equal(new Set(paths.flatMap(({ favicon, touch }) => [favicon, touch])).size, 8)
})

test('a logo’s shape or setting says if it contains the name, and it has a dark variant', () => {
  const viewOf = (more: object) => logoView(settingsWith(more), PICTURES)
  assert.equal(viewOf({ logo: WORDMARK.name })?.showsName, true)
  assert.equal(viewOf({ logo: MARK.name })?.showsName, false)
  assert.equal(viewOf({ logo: MARK.name, logo_shows_name: true })?.showsName, true)
  assert.equal(viewOf({ logo: WORDMARK.name })?.dark, null)
  assert.match(viewOf({ logo: WORDMARK.name, logo_dark: WHITE.name })?.dark?.path ?? '', /picture-/)
})
