import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { runScript } from '../support/running-site.ts'

const PACKAGES = {
  '': { name: 'site', version: '1.0.0' },
  'node_modules/tangle': { version: '2.4.1' },
  'node_modules/tangle/node_modules/knot': { version: '1.0.0-beta.2' },
  'node_modules/loom': { version: '5.0.0', dev: true },
}

const record = (id: string, name: string, events: object[], rest: object = {}) => ({
  ...{ id, modified: '2026-11-20T08:00:00Z', summary: `A fault of ${name}` },
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  database_specific: { severity: 'MODERATE' },
  ...rest,
})
const TANGLE = record('GHSA-1', 'tangle', [{ introduced: '2.0.0' }, { fixed: '2.4.2' }], {
  aliases: ['CVE-2026-1'],
})

function prepare(t: TestContext) {
  const folder = temporaryFolder(t)
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const lock = write('lock.json', JSON.stringify({ packages: PACKAGES }))
  const check = (file: string, ...rest: string[]) =>
    runScript('supply-chain/vulnerabilities.ts', {
      dataDir: folder,
      arguments: ['--file', file, '--lock', lock, ...rest],
    })
  const lines = (...records: object[]) =>
    write('all.jsonl', records.map((one) => JSON.stringify(one)).join('\n'))
  return { write, check, lines }
}

test('a version within an advisory’s range fails with its severity and the advisory file’s age', async (t) => {
  const { check, lines } = prepare(t)
  const { code, output } = await check(lines(TANGLE))
  assert.equal(code, 1)
  assert.match(output, /^Advisories: 1\. Newest: 2026-11-20, (a day|\d+ days) ago\.$/m)
  assert.match(output, /^tangle@2\.4\.1 {2}medium {2}GHSA-1 {2}A fault of tangle$/m)
  assert.match(output, /^Known vulnerabilities of severity low or higher: 1$/m)
})

const CASES: [string, object, number][] = [
  ['the version that fixes it', record('A', 'tangle', [{ introduced: '0' }, { fixed: '2.4.1' }]), 0],
  ['the last affected version', record('A', 'tangle', [{ introduced: '0' }, { last_affected: '2.4.1' }]), 1],
  ['a version after it', record('A', 'tangle', [{ introduced: '0' }, { last_affected: '2.4.0' }]), 0],
  [
    'the second of two ranges, in any order',
    record('A', 'tangle', [{ fixed: '1.2.0' }, { introduced: '2.4.0' }, { introduced: '1.0.0' }]),
    1,
  ],
  ['a prerelease before the fix', record('A', 'knot', [{ introduced: '0' }, { fixed: '1.0.0' }]), 1],
  [
    'a listed version',
    { ...TANGLE, affected: [{ package: { ecosystem: 'npm', name: 'tangle' }, versions: ['2.4.1'] }] },
    1,
  ],
  [
    'a package of the same name elsewhere',
    { ...TANGLE, affected: [{ package: { ecosystem: 'PyPI', name: 'tangle' }, versions: ['2.4.1'] }] },
    0,
  ],
  ['a withdrawn advisory', { ...TANGLE, withdrawn: '2026-11-21T00:00:00Z' }, 0],
  ['a package for development only', record('A', 'loom', [{ introduced: '0' }]), 0],
]

for (const [name, given, expected] of CASES) {
  test(`vulnerabilities: ${name}`, async (t) => {
    const { check, lines } = prepare(t)
    const { code, output } = await check(lines(given))
    assert.equal(code, expected, output)
  })
}

test('severities below the threshold pass, and a missing severity counts as critical', async (t) => {
  const { check, lines } = prepare(t)
  assert.equal((await check(lines(TANGLE), '--severity', 'high')).code, 0)
  const unknown = { ...TANGLE, database_specific: undefined }
  assert.equal((await check(lines(unknown), '--severity', 'critical')).code, 1)
  assert.equal((await check(lines(TANGLE), '--severity', 'huge')).code, 2)
})

test('a lock file without packages is reported by its path', async (t) => {
  const { check, lines, write } = prepare(t)
  const { code, output } = await check(lines(TANGLE), '--lock', write('old.json', '{"lockfileVersion":1}'))
  assert.equal(code, 1)
  assert.match(output, /old\.json is not a package-lock\.json of npm 7 or newer/)
})

test('an ignored advisory needs a reason and an end date', async (t) => {
  const { check, lines, write } = prepare(t)
  const ignore = (reason: string, until: string) =>
    write('ignored.yaml', `- { id: CVE-2026-1, reason: "${reason}", until: "${until}" }\n`)
  const ignored = await check(lines(TANGLE), '--ignore', ignore('Only its parser, unused', '2999-01-01'))
  assert.equal(ignored.code, 0)
  assert.match(ignored.output, /GHSA-1 {2}ignored until 2999-01-01: Only its parser, unused$/m)
  const past = await check(lines(TANGLE), '--ignore', ignore('Only its parser, unused', '2026-01-01'))
  assert.deepEqual([past.code, /no longer ignored/.test(past.output)], [1, true])
  assert.equal((await check(lines(TANGLE), '--ignore', ignore('', '2999-01-01'))).code, 1)
})

test('advisories are read from a list or a folder, and invalid ones are reported', async (t) => {
  const { check, write } = prepare(t)
  assert.equal((await check(write('all.json', JSON.stringify([TANGLE, TANGLE])))).code, 1)
  const { check: checkFolder, write: writeInto } = prepare(t)
  const path = writeInto('GHSA-1.json', JSON.stringify(TANGLE))
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'GHSA-1.json'), JSON.stringify(TANGLE))
  assert.equal((await checkFolder(folder)).code, 1)
  assert.equal((await checkFolder(path)).code, 1)
  for (const [text, problem] of [
    ['{', /all\.jsonl:1 is not valid JSON/],
    ['{"id":1}', /all\.jsonl:1 is not an OSV record/],
    ['', /The file contains no advisories/],
  ] as const) {
    const { code, output } = await check(write('all.jsonl', text))
    assert.equal(code, 1)
    assert.match(output, problem)
  }
})
