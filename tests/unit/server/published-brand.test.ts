import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publishedBrand } from '#src/server/forms/published-brand.ts'
import { temporaryFolder } from '../../support/database.ts'

const file = (name: string) => ({ path: `/_astro/${name}`, width: 48, height: 48 })
const aLogo = (name: string) => ({
  ...file(`${name}.webp`),
  showsName: false,
  dark: file(`${name}-dark.webp`),
})
const anIcon = (name: string) => ({ favicon: `/_astro/${name}-96.png`, touch: `/_astro/${name}-180.png` })
const OLD = { logo: aLogo('old'), icon: anIcon('old') }
const NEW = { logo: aLogo('new'), icon: anIcon('new') }
const NOTHING = { logo: null, icon: null }

test('pages rendered on demand show the release’s logo and icon, or the saved ones if available', (t) => {
  const dataDir = temporaryFolder(t)
  assert.deepEqual(publishedBrand(dataDir, NEW, undefined), NEW, 'without a release')
  const id = '20261124T000000000Z'
  const assets = join(dataDir, 'releases', id, 'site/_astro')
  mkdirSync(assets, { recursive: true })
  symlinkSync(`releases/${id}`, join(dataDir, 'current'))
  const add = (...names: string[]) => {
    for (const name of names) writeFileSync(join(assets, name), '')
  }
  assert.deepEqual(publishedBrand(dataDir, NEW, undefined), NOTHING)
  add('old.webp', 'old-dark.webp', 'old-96.png', 'old-180.png')
  assert.deepEqual(publishedBrand(dataDir, NEW, OLD), OLD)
  add('new.webp', 'new-96.png')
  assert.deepEqual(publishedBrand(dataDir, NEW, undefined), { logo: { ...NEW.logo, dark: null }, icon: null })
  add('new-dark.webp', 'new-180.png')
  assert.deepEqual(publishedBrand(dataDir, NEW, OLD), NEW)
})
