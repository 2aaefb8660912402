import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportedNames } from '#scripts/upgrade/exported-names.ts'
import { listGoneImports } from '#scripts/upgrade/gone-imports.ts'
import { temporaryFolder } from '../../support/database.ts'

test('public names missing from the other version are reported as removed', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src/pages'), { recursive: true })
  const source = `import A from 'signpost/components/Gone.astro'
import B from "signpost/components/Header.astro"
import { x } from 'signpost/src/lib/slug.js'
import signpost from 'signpost'`
  writeFileSync(join(site, 'src/pages/a.astro'), source)
  mkdirSync(join(site, 'looks/coastal'), { recursive: true })
  writeFileSync(join(site, 'looks/coastal/Hero.astro'), source)
  const modules = new Set(['.', './components/Header.astro'])
  const module = 'signpost/components/Gone.astro'
  assert.deepEqual(listGoneImports(site, { modules, names: new Map() }), [
    { file: 'src/pages/a.astro', module },
    { file: 'looks/coastal/Hero.astro', module },
  ])
})

test('functions and types missing from a module of the other version are reported as removed', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src'))
  const source = `---
import { getPlaces as places, getSite, type OwnGone } from 'signpost/content'
import type {
  SiteHooks,
  GoneHook,
} from 'signpost/hooks'
---`
  writeFileSync(join(site, 'src/map.astro'), source)
  const names = new Map([
    [
      './content',
      exportedNames('export declare function getSite(): void\nexport type { OwnEntry } from "./own"'),
    ],
    ['./hooks', exportedNames('export interface SiteHooks {}')],
  ])
  const gone = listGoneImports(site, { modules: new Set(names.keys()), names })
  assert.deepEqual(gone, [
    { file: 'src/map.astro', module: 'signpost/content', name: 'getPlaces' },
    { file: 'src/map.astro', module: 'signpost/content', name: 'OwnGone' },
    { file: 'src/map.astro', module: 'signpost/hooks', name: 'GoneHook' },
  ])
})

test('exported names are those of declarations and lists', () => {
  const source = `export declare function a(): void
export declare const b: string
export interface C {}
export type D<T> = T
export { e, type F, g as h } from './other.ts'
export type { I } from './other.ts'
declare const hidden: string
export default a`
  assert.deepEqual([...exportedNames(source)].sort(), ['C', 'D', 'F', 'I', 'a', 'b', 'e', 'h'])
})
