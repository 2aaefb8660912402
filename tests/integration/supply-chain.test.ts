import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { isVariable, parseEnvironment } from '#src/environment.ts'

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
}

const fileOf = (name: string) => new URL(`../../${name}`, import.meta.url)
const readText = (name: string) => readFileSync(fileOf(name), 'utf8')
const read = (name: string) => JSON.parse(readText(name))
const manifest = read('package.json')
const packages: Record<string, LockedPackage> = read('package-lock.json').packages
const versionOf = (name: string) => packages[`node_modules/${name}`]?.version ?? ''

const compose = parse(readText('compose.yaml'))
const { services: scaled, volumes: scaledVolumes } = parse(readText('compose.scale.yaml'), { merge: true })
const servers = Object.keys(scaled).filter((name) => name.startsWith('signpost'))
const dockerfile = readText('Dockerfile')
const unit = readText('scripts/deploy/signpost.service')

/** Of Node and Astro, not of the program. */
const OTHERS = ['NODE_ENV', 'ASTRO_TELEMETRY_DISABLED']

// What may be shipped with a product under the MIT licence, libraries that are only linked included.
const LICENCES = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'Unlicense',
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

test('Astro and its adapter are newer than versions with known vulnerabilities', () => {
  assert.ok(isAtLeast(versionOf('astro'), '7.2.4'), versionOf('astro'))
  assert.ok(isAtLeast(versionOf('@astrojs/node'), '11.0.2'), versionOf('@astrojs/node'))
  assert.deepEqual([isAtLeast('7.2.3', '7.2.4'), isAtLeast('7.10.0', '7.2.4')], [false, true])
})

test('only Node runs an install script, and all other packages with one are listed', () => {
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

test('shipped packages have permissive licenses', () => {
  const others = Object.entries(packages).filter(
    ([path, { license = 'unknown', dev }]) =>
      path !== '' && !dev && !license.split(' AND ').every((one) => LICENCES.has(one)),
  )
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  )
})

test('every variable in the Docker and systemd files is known', () => {
  const inDockerfile = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const inUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const inComment = [...(/^# (.*)\nEnvironmentFile/m.exec(unit)?.[1] ?? '').matchAll(/\w+/g)].map(String)
  const names = [...inDockerfile, ...inUnit].map((pair) => pair.split('=')[0] ?? '')
  const inCompose = [compose.services.signpost, ...servers.map((name) => scaled[name])].flatMap(
    ({ environment }) => Object.keys(environment),
  )
  const all = [...inCompose, ...names, ...inComment]
  assert.ok(all.length >= 12, all.join(' '))
  assert.deepEqual(
    all.filter((name) => !isVariable(name) && !OTHERS.includes(name)),
    [],
  )
})

test('compose.scale.yaml starts three servers of one site, and one syncs content files', () => {
  const values = {
    SITE: 'www.example.com',
    SECRET_KEY: Buffer.alloc(32, 'key').toString('base64'),
    POSTGRES_PASSWORD: 'abc123',
    S3_ACCESS_KEY_ID: 'one',
    S3_SECRET_ACCESS_KEY: 'two',
  } as Record<string, string>
  const fill = (text: string) => text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? '')
  const read = servers.map((name) => {
    const pairs = Object.entries<string>(scaled[name].environment).map(([key, value]) => [key, fill(value)])
    return parseEnvironment(Object.fromEntries(pairs))
  })
  assert.deepEqual(
    read.map(({ CONTENT_SYNC }) => CONTENT_SYNC),
    ['all', 'off', 'off'],
  )
  const shared = read.map(({ CONTENT_SYNC: _, ...others }) => JSON.stringify(others))
  assert.equal(new Set(shared).size, 1)
  const volumes = servers.map((name) => scaled[name].volumes.at(-1).split(':')[0])
  assert.equal(new Set(volumes).size, 3)
  assert.deepEqual(
    volumes.filter((name) => !(name in scaledVolumes)),
    [],
  )
  const { DATABASE_URL, FILE_STORE } = read[0] ?? {}
  const hosts = [DATABASE_URL, URL.parse(String(FILE_STORE))?.searchParams.get('endpoint')].map(
    (address) => URL.parse(String(address))?.hostname ?? '',
  )
  assert.deepEqual(hosts, ['postgres', 'files'])
  const caddyfile: string = parse(readText('compose.scale.yaml')).configs.caddyfile.content
  assert.deepEqual(caddyfile.match(/\w+(?=:4321)/g), servers)
  assert.match(caddyfile, /health_uri \/health$/m)
})

test('the systemd unit of a site of one’s own differs only in its folder', () => {
  const [, own = ''] = /```ini\n([^`]*)```/.exec(readText('docs/own-site.md')) ?? []
  const lines = own.split('\n').filter((line) => !line.includes('/opt/'))
  assert.ok(lines.length > 15)
  assert.deepEqual(
    lines.filter((line) => !unit.split('\n').includes(line)),
    [],
  )
  assert.match(
    own,
    /^ExecStart=\/opt\/my-site\/node_modules\/\.bin\/node node_modules\/\.bin\/signpost start$/m,
  )
})

test('every program file that they reference exists', () => {
  const copied = [...dockerfile.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, line = '']) => line.split(' '))
  const run = [dockerfile, unit].flatMap((text) => text.match(/(scripts|src)\/[\w/.-]+\.ts/g) ?? [])
  const mounted = compose.services.signpost.volumes
    // What a variable is when nobody sets it.
    .map((volume: string) => volume.replace(/\$\{\w+:-([^}]*)\}/, '$1').split(':')[0])
    .filter((path: string) => path.startsWith('.'))
  const documented = [...unit.matchAll(/\/opt\/signpost\/([\w/.-]+)/g)].map(([, path = '']) => path)
  // A copy of the source without its history is a checkout too.
  const paths = [...copied, ...run, ...mounted, ...documented].filter((path) => path !== '.git')
  assert.ok(paths.length >= 8, paths.join(' '))
  assert.deepEqual(
    paths.filter((path) => !existsSync(fileOf(path))),
    [],
  )
})

test('ASVS 13.4.1 neither the image nor the systemd service contains git history', () => {
  assert.match(readText('.dockerignore'), /^\.git$/m)
  assert.match(unit, /^InaccessiblePaths=-\/opt\/signpost\/\.git$/m)
})

function isAtLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, 'en', { numeric: true }) >= 0
}
