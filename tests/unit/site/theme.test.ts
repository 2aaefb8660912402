import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { describeRule } from '#src/messages/files/rules/rule.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'
import { contrastOf } from '#src/site/theme/color.ts'
import { worstContrast } from '#src/site/theme/contrasts.ts'
import { fontVariable } from '#src/site/theme/fonts.ts'
import { lookPicture } from '#src/site/theme/look-picture.ts'
import { findLooks, lookOf, PRESETS, resolveTheme } from '#src/site/theme/looks.ts'
import { LEGIBLE_PAIRS, PALETTES } from '#src/site/theme/presets.ts'
import { themeSettings } from '#src/site/theme/theme-settings.ts'
import { themeStylesheet } from '#src/site/theme/theme-stylesheet.ts'
import { temporaryFolder } from '../../support/database.ts'

test('contrast follows WCAG: 21 for black on white, 4.54 for #767676', () => {
  assert.equal(contrastOf('#000', '#ffffff'), 21)
  assert.equal(contrastOf('#ffffff', '#fff'), 1)
  assert.equal(contrastOf('#767676', '#fff').toFixed(2), '4.54')
})

test('everything is legible in every look that ships, light and dark', () => {
  for (const [name, preset] of PRESETS) {
    for (const look of ['light', 'dark'] as const) {
      for (const [role, on, least] of LEGIBLE_PAIRS) {
        const contrast = contrastOf(preset[look][role], preset[look][on])
        assert.ok(contrast >= least, `${name} ${look}: ${role} on ${on} is ${contrast}`)
      }
    }
  }
})

test('one custom color changes all derived colors and stays legible in dark mode', () => {
  const settings = themeSettings.parse({ colors: { primary: '#a3195b' } })
  const { light, dark } = resolveTheme(settings)
  assert.deepEqual([light.primary, light.on_primary], ['#a3195b', '#ffffff'])
  assert.notEqual(light.band, PALETTES.bluebonnet.light.band)
  assert.ok(contrastOf(light.band, '#ffffff') >= 10)
  assert.ok(contrastOf(dark.primary, dark.background) >= 6)
  assert.equal(light.accent, PALETTES.bluebonnet.light.accent)
  // Just far enough from the custom color.
  assert.ok(contrastOf(light.band, '#ffffff') < 10.6, light.band)
  assert.ok(contrastOf(dark.primary, dark.background) < 6.6, dark.primary)
})

test('a color with too little contrast is refused with the contrast', () => {
  const { error } = themeSettings.safeParse({
    colors: { text: '#9aa0b5' },
    dark_colors: { muted: '#4a4f60' },
  })
  assert.deepEqual(
    error?.issues.map(problemOf).map((one) => `${one.path.join('.')}: ${describeRule(one)}`),
    [
      'colors.text: text #9aa0b5 is hard to read on background #ffffff: contrast 2.6, expected at least 4.5',
      'colors.text: text #9aa0b5 is hard to read on surface #f0f3fc: contrast 2.3, expected at least 4.5',
      'dark_colors.muted: muted #4a4f60 is hard to read on background #0f1328 in dark mode: contrast 2.2, expected at least 4.5',
      'dark_colors.muted: muted #4a4f60 is hard to read on surface #191f3c in dark mode: contrast 1.9, expected at least 4.5',
    ],
  )
})

test('invalid themes are refused: unknown looks, keys, and fonts, named colors, text that ends a rule', () => {
  const wrong = [
    { preset: 'neon' },
    { fonts: 'comic' },
    { radius: 99 },
    { spacing: 3 },
    { colors: { primary: 'blue' } },
    { colors: { primary: '#fff;}body{display:none' } },
    { colors: { brand: '#123456' } },
  ]
  for (const theme of wrong)
    assert.equal(themeSettings.safeParse(theme).success, false, JSON.stringify(theme))
})

test('an invalid color is the only mistake: it has no contrast', () => {
  const { error } = themeSettings.safeParse({ colors: { background: 'white' } })
  assert.deepEqual(
    error?.issues.map(problemOf).map(({ path, code }) => `${path.join('.')}: ${code}`),
    ['colors.background: color'],
  )
})

test('a theme is one small stylesheet named by its content hash', () => {
  const sheet = (theme: object) => themeStylesheet(themeSettings.parse(theme))
  const plain = sheet({})
  assert.match(plain.path, /^\/_astro\/theme-[0-9a-f]{12}\.css$/)
  assert.match(plain.css, /--primary:#2f42a5/)
  assert.deepEqual(sheet({ preset: 'bluebonnet' }), plain)
  const other = sheet({ preset: 'prairie', fonts: 'system', radius: 0 })
  assert.notEqual(other.path, plain.path)
  assert.match(other.css, /--radius:0px/)
  assert.match(other.css, /--heading:system-ui/)
  assert.match(plain.css, /@media\(/)
  assert.doesNotMatch(plain.css, /undefined|@media \(|\/\*/)
})

test('the contrast beside a color is the one that validation uses', () => {
  for (const primary of ['#2f42a5', '#ffc53d', '#767676', '#0a0']) {
    const settings = themeSettings.safeParse({ colors: { primary } })
    const { light } = resolveTheme({ preset: 'bluebonnet', colors: { primary } })
    const found = worstContrast(light, 'primary')
    const isRefused = !settings.success
    assert.equal(found?.isReadable === false, isRefused, primary)
  }
  assert.equal(worstContrast(PALETTES.bluebonnet.light, 'line'), undefined)
  const grayOn = { ...PALETTES.bluebonnet.light, muted: '#999999' }
  for (const [role, other] of [
    ['muted', 'surface'],
    ['surface', 'muted'],
    ['background', 'muted'],
    ['on_band', 'band'],
  ] as const)
    assert.equal(worstContrast(grayOn, role)?.with, other, role)
})

test('a preset has a picture, and a font a custom property', () => {
  for (const preset of ['bluebonnet', 'prairie', 'quiet'])
    assert.match(lookPicture(preset)?.slice(0, 60) ?? '', /^data:image\/webp;base64,UklG/, preset)
  for (const unknown of ['neon', 'x'.repeat(300), '../looks/prairie'])
    assert.equal(lookPicture(unknown), undefined, unknown)
  const font = { name: 'Noto Sans & Co', file: '', weight: '400', fallback: 'serif' as const }
  assert.equal(fontVariable(font), '--font-noto-sans-co')
})

test('a look adds its styles and omits those of replaced components', () => {
  const { css } = themeStylesheet(themeSettings.parse({ preset: 'quiet' }))
  assert.match(css, /@layer signpost\.look\{.*\.sp-opening/s)
  assert.match(css, /--heading:var\(--font-newsreader\)/)
  const usual = themeStylesheet(themeSettings.parse({})).css
  for (const rule of ['.sp-top-band{position', '.sp-footer-grid{display'])
    assert.deepEqual(
      [css, usual].map((styles) => styles.includes(rule)),
      [false, true],
      rule,
    )
})

test('a site has the looks in its folder and packages, and an invalid one is reported', (t) => {
  const site = temporaryFolder(t)
  const { light, dark } = PALETTES.bluebonnet
  const aLook = (path: string, look: object = {}) => {
    const file = join(site, path, 'look.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ label: 'Coastal', fonts: 'slab', radius: 2, light, dark, ...look }))
  }
  aLook('looks/coastal')
  writeFileSync(join(site, 'looks/coastal/Header.astro'), '')
  aLook('node_modules/signpost-look-alpine', { label: 'Alpine' })
  writeFileSync(
    join(site, 'package.json'),
    '{"dependencies":{"signpost-look-alpine":"1.0.0","signpost":"1.0.0"}}',
  )
  const found = findLooks(site)
  assert.deepEqual(
    found.map(({ name, label, components }) => [name, label, [...components.keys()]]),
    [
      ['quiet', 'Quiet', [...(lookOf('quiet')?.components.keys() ?? [])]],
      ['coastal', 'Coastal', ['Header']],
      ['alpine', 'Alpine', []],
    ],
  )
  aLook('looks/coastal', { label: undefined })
  assert.throws(() => findLooks(site), /coastal\/look\.json is not a valid look.*label/s)
  aLook('looks/coastal', { light: { ...light, muted: '#c0c0c0' } })
  assert.throws(() => findLooks(site), /#c0c0c0 is hard to read on #ffffff.*4\.5/)
  aLook('looks/coastal')
  aLook('looks/quiet')
  assert.throws(() => findLooks(site), /Two looks are named quiet/)
})

test('a look whose package or font file is missing is named, with what to do', (t) => {
  const site = temporaryFolder(t)
  const { light, dark } = PALETTES.bluebonnet
  const [folder, packages] = [join(site, 'looks/coastal'), join(site, 'node_modules/signpost-look-alpine')]
  mkdirSync(folder, { recursive: true })
  const font = (file: string) => ({ name: 'Inter', file, weight: '400', fallback: 'serif' })
  const fonts = { heading: font('./inter.woff2'), text: font('@fontsource/inter/inter.woff2') }
  writeFileSync(join(folder, 'look.json'), JSON.stringify({ label: 'C', fonts, radius: 2, light, dark }))
  const refuses = (message: RegExp) => assert.throws(() => findLooks(site), { message })
  refuses(/^\S+coastal\/look\.json: the file \.\/inter\.woff2 for the font Inter does not exist\. Add/)
  writeFileSync(join(folder, 'inter.woff2'), '')
  refuses(/look\.json: the file @fontsource\/inter\/inter\.woff2 for the font Inter does not exist/)
  mkdirSync(join(site, 'node_modules/@fontsource/inter'), { recursive: true })
  writeFileSync(join(site, 'node_modules/@fontsource/inter/inter.woff2'), '')
  assert.ok(findLooks(site).some(({ name }) => name === 'coastal'))

  writeFileSync(join(site, 'package.json'), '{"dependencies":{"signpost-look-alpine":"1.0.0"}}')
  refuses(/^package\.json lists the look signpost-look-alpine, which is not installed\. Run npm install/)
  mkdirSync(packages)
  refuses(/^signpost-look-alpine\/look\.json is not a valid look: Cannot find/)
})
