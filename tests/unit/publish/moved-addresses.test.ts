import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { movedFiles, openMovedAddresses } from '#src/publish/addresses/moved-addresses.ts'
import { formerOf } from '#src/publish/ledger/page-record.ts'
import { releaseAt } from '#src/publish/release/release.ts'
import { temporaryFolder } from '../../support/database.ts'

// Every third address is gone; lengths vary from a few to 1,000 characters.
function movedAddresses(count: number) {
  const path = (n: number) => `/${'x'.repeat((n * 7919) % 997)}/${n}`
  return Array.from({ length: count }, (_, n) => ({
    path: path(n),
    to: n % 3 === 0 ? null : `/now/${n}`,
  })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function written(t: Parameters<typeof temporaryFolder>[0], moved: ReturnType<typeof movedAddresses>) {
  const release = releaseAt(temporaryFolder(t), '20261120T100000000Z')
  mkdirSync(release.siteDir, { recursive: true })
  for (const [file, text] of movedFiles(moved)) writeFileSync(join(release.siteDir, file), text)
  const addresses = openMovedAddresses(release)
  t.after(() => addresses.close())
  return addresses
}

for (const count of [0, 1, 2, 10, 3_000]) {
  test(`each of ${count} moved addresses is found and no other`, async (t) => {
    const moved = movedAddresses(count)
    const addresses = written(t, moved)
    for (const { path, to } of moved) assert.equal(addresses.find(path), to)
    for (const path of ['', '/', '/now/1', '/x', '/zzz', ...moved.map((address) => `${address.path}0`)])
      assert.equal(addresses.find(path), undefined, path)
  })
}

test('a release from before redirects has none', (t) => {
  const addresses = openMovedAddresses(releaseAt(temporaryFolder(t), '20261120T100000000Z'))
  assert.equal(addresses.find('/a'), undefined)
  addresses.close()
})

test('§4 spellings of one address are stored once and found in any spelling', async (t) => {
  const addresses = written(t, [
    { path: '/About', to: null },
    { path: '/aBOUT', to: '/about-us' },
    { path: '/about', to: '/elsewhere' },
    { path: '/Old', to: '/new' },
    { path: '/old', to: null },
    { path: '/zoo', to: null },
  ])
  assert.equal(addresses.find('/old'), '/new', 'the first that leads somewhere counts')
  for (const path of ['/about', '/About', '/ABOUT']) assert.equal(addresses.find(path), '/about-us', path)
  assert.equal(addresses.find('/Zoo'), null)
})

test('§4 an address with accented letters is found in any spelling and listed in each that hosts compare', (t) => {
  const moved = [
    { path: '/Dienste/Dachdecker-München', to: '/services/roofing' },
    { path: '/Über-uns', to: '/about' },
    { path: '/ÜBER-UNS', to: null },
    { path: '/café', to: null },
  ]
  const addresses = written(t, moved)
  for (const path of [
    '/dienste/dachdecker-münchen',
    '/dienste/dachdecker-m%C3%BCnchen',
    '/Dienste/Dachdecker-m%c3%bcnchen/',
    '/dienste/dachdecker-mu%CC%88nchen',
  ])
    assert.equal(addresses.find(path), '/services/roofing', path)
  assert.equal(addresses.find('/%c3%9cber-uns'), '/about')
  assert.equal(addresses.find('/caf%C3%A9'), null)
  for (const path of ['/caf%C3', '/caf%25C3%25A9', '/cafe']) assert.equal(addresses.find(path), undefined)
  const files = movedFiles(moved)
  assert.deepEqual(files.get('../redirects.map')?.toString().split('\n').toSorted(), [
    '',
    '/dienste/dachdecker-münchen /services/roofing;',
    '/Über-uns /about;',
    '/über-uns /about;',
  ])
  assert.equal(files.get('../gone.map'), '/café 1;\n')
  assert.equal(
    files.get('_redirects'),
    [
      '/Dienste/Dachdecker-M%C3%BCnchen /services/roofing 301\n',
      '/Dienste/Dachdecker-M%c3%bcnchen /services/roofing 301\n',
      '/%C3%9Cber-uns /about 301\n/%c3%9cber-uns /about 301\n',
    ].join(''),
  )
})

test('servers and static hosts get the redirects and the gone addresses', () => {
  const moved = [
    { path: '/About', to: null },
    { path: '/Old', to: '/new' },
    { path: '/old', to: null },
    { path: '/zoo', to: null },
    { path: '/Bar', to: '/New' },
  ]
  const textsOf = (files: Map<string, string | Buffer>) =>
    Object.fromEntries([...files].filter(([file]) => file !== '../moved.db'))
  assert.deepEqual(textsOf(movedFiles(moved)), {
    '../redirects.map': '/bar /New;\n/old /new;\n',
    '../gone.map': '/about 1;\n/zoo 1;\n',
    _redirects: '/Old /new 301\n/Bar /New 301\n',
  })
  const gone = movedFiles([{ path: '/b', to: null }])
  assert.deepEqual(textsOf(gone), { '../redirects.map': '', '../gone.map': '/b 1;\n' })
  assert.deepEqual(textsOf(movedFiles([])), { '../redirects.map': '', '../gone.map': '' })
})

test('a page’s record has the addresses that redirect to it', () => {
  const page = { path: '/a', key: 'entry:1' }
  assert.equal(formerOf(page), null)
  assert.equal(formerOf({ ...page, formerPaths: [], impliedPaths: [] }), null)
  const [one, other] = [{ formerPaths: ['/b'] }, { impliedPaths: ['/c'] }]
  assert.deepEqual(
    [one, other, { ...one, ...other }].map((paths) => JSON.parse(formerOf({ ...page, ...paths }) ?? 'null')),
    [
      { ...one, impliedPaths: [] },
      { formerPaths: [], ...other },
      { ...one, ...other },
    ],
  )
})

test('a damaged file of moved addresses counts as empty and fails no request', (t) => {
  const release = releaseAt(temporaryFolder(t), '20261120T100000000Z')
  mkdirSync(release.siteDir, { recursive: true })
  const files = movedFiles(movedAddresses(3_000))
  const bytes = Buffer.from(files.get('../moved.db') ?? '')
  const damaged = [
    bytes.subarray(0, 10),
    Buffer.from('no database'.repeat(500)),
    zeroed(bytes, 100),
    zeroed(bytes, 4_096),
  ]
  for (const content of damaged) {
    writeFileSync(join(release.siteDir, '../moved.db'), content)
    const addresses = openMovedAddresses(release)
    for (const path of ['/a', '/zzz', '/xxxx/9']) assert.equal(addresses.find(path), undefined)
    addresses.close()
  }
})

function zeroed(bytes: Buffer, from: number): Buffer {
  return Buffer.from(bytes).fill(0, from)
}
