import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const manifest = read('package.json')
const packages: Record<string, LockedPackage> = read('package-lock.json').packages
const versionOf = (name: string) => packages[`node_modules/${name}`]?.version ?? ''

// What may be shipped with a product under the MIT licence, libraries that are only linked included.
const LICENCES = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'Python-2.0',
  ],
  ...['Apache-2.0', 'MPL-2.0', 'LGPL-3.0-or-later', 'OFL-1.1'],
])

test('every package is pinned to one exact version', () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies }
  const loose = Object.entries<string>(wanted).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  assert.deepEqual(loose, [])
})

test('Astro and its adapter are not older than the versions whose faults are known', () => {
  assert.ok(isAtLeast(versionOf('astro'), '7.2.4'), versionOf('astro'))
  assert.ok(isAtLeast(versionOf('@astrojs/node'), '11.0.2'), versionOf('@astrojs/node'))
  assert.deepEqual([isAtLeast('7.2.3', '7.2.4'), isAtLeast('7.10.0', '7.2.4')], [false, true])
})

test('only Node itself may run a script when it is installed, and every other that wants to is named', () => {
  const wanting = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  )
  const named: Record<string, boolean> = manifest.allowScripts
  assert.deepEqual(
    wanting.filter((name) => !(name in named)),
    [],
  )
  assert.deepEqual(
    Object.entries(named).flatMap(([name, isAllowed]) => (isAllowed ? [name] : [])),
    ['node'],
  )
})

test('what is shipped has licences that allow it', () => {
  const others = Object.entries(packages).filter(
    ([path, { license = 'unknown', dev }]) =>
      path !== '' && !dev && !license.split(' AND ').every((one) => LICENCES.has(one)),
  )
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  )
})

function isAtLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, 'en', { numeric: true }) >= 0
}
