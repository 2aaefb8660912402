import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPageAddresses } from '#src/publish/addresses/page-addresses.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { settleAddresses } from '#src/publish/addresses/settle-addresses.ts'
import { saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'

const PATHS = ['/a', '/b', '/c', '/d', '/e', '/f']
const KEYS = ['entry:1', 'entry:2', 'place:1:2', 'place:2:2']

interface Edition {
  /** Which page has which address; a page without one does not exist. */
  pages: Map<string, string>
  former: Map<string, string[]>
}

// Each page has its own address or none, and may name some as its former ones.
const edition: fc.Arbitrary<Edition> = fc
  .tuple(
    fc.shuffledSubarray(PATHS, { minLength: KEYS.length, maxLength: KEYS.length }),
    fc.subarray(KEYS),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...PATHS)), { maxLength: 3 }),
  )
  .map(([paths, keys, declared]) => ({
    pages: new Map(keys.map((key) => [paths[KEYS.indexOf(key)] ?? '', key])),
    former: Map.groupBy(declared, ([key]) => key) as unknown as Map<string, string[]>,
  }))
  .map(({ pages, former }) => ({
    pages,
    former: new Map([...former].map(([key, pairs]) => [key, pairs.map(([, path]) => path ?? '')])),
  }))

test('§4 after any renames, deletions, and swaps each address is a page, redirects to one, or is gone', async (t) => {
  const db = await openTestDatabase(t)
  const property = fc.asyncProperty(fc.array(edition, { minLength: 1, maxLength: 8 }), async (editions) => {
    await db.deleteFrom('published_addresses').execute()
    const lastOwner = new Map<string, string>()
    for (const { pages, former } of editions) {
      const addresses = createPageAddresses()
      for (const [path, key] of pages) addresses.note({ path, key, formerPaths: former.get(key) ?? [] })
      const { moved, unrecorded } = await addresses.settle(db)
      await savePublishedAddresses(db, unrecorded)
      for (const [path, key] of pages) lastOwner.set(path, key)
      check(moved, { pages, former, lastOwner })
    }
  })
  await fc.assert(property, { numRuns: 60 })
})

interface World extends Edition {
  lastOwner: Map<string, string>
}

function check(moved: { path: string; to: string | null }[], { pages, former, lastOwner }: World) {
  const leadsTo = new Map(moved.map(({ path, to }) => [path, to]))
  assert.equal(leadsTo.size, moved.length)
  assert.deepEqual([...leadsTo.keys()], [...leadsTo.keys()].sort())
  const pathOf = new Map([...pages].map(([path, key]) => [key, path]))
  const named = new Set([...pages.values()].flatMap((key) => former.get(key) ?? []))
  for (const path of new Set([...lastOwner.keys(), ...named])) {
    const to = leadsTo.get(path)
    if (pages.has(path)) assert.equal(to, undefined)
    else if (named.has(path)) assert.ok(former.get(pages.get(String(to)) ?? '')?.includes(path))
    else assert.equal(to, pathOf.get(lastOwner.get(path) ?? '') ?? null)
    if (typeof to === 'string') assert.ok(pages.has(to), `${path} leads to a page`)
  }
}

test('a former address claimed by two pages redirects to the first', async (t) => {
  const db = await openTestDatabase(t)
  const addresses = createPageAddresses()
  addresses.note({ path: '/a', key: 'entry:1', formerPaths: ['/old'] })
  addresses.note({ path: '/b', key: 'entry:2', formerPaths: ['/old'] })
  assert.deepEqual((await addresses.settle(db)).moved, [{ path: '/old', to: '/a' }])
})

test('an implied former address redirects to its page while that exists, a listed one to the page that lists it', async (t) => {
  const db = await openTestDatabase(t)
  await savePublishedAddresses(db, [{ path: '/old', key: 'place:2:2' }])
  const settle = async (pages: Parameters<ReturnType<typeof createPageAddresses>['note']>[0][]) => {
    const addresses = createPageAddresses()
    for (const page of pages) addresses.note(page)
    return (await addresses.settle(db)).moved
  }
  const implies = { path: '/a', key: 'place:1:2', impliedPaths: ['/old', '/older', '/b'] }
  const had = { path: '/b', key: 'place:2:2' }
  const names = { path: '/c', key: 'entry:1', formerPaths: ['/old'] }
  const older = { path: '/older', to: '/a' }
  assert.deepEqual(await settle([implies, had]), [{ path: '/old', to: '/b' }, older])
  assert.deepEqual(await settle([implies, had, names]), [{ path: '/old', to: '/c' }, older])
  assert.deepEqual(await settle([{ ...implies, impliedPaths: ['/old'] }]), [{ path: '/old', to: '/a' }])
})

test('the files of moved addresses are the same until an address moves', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  await savePublishedAddresses(db, [{ path: '/gone', key: 'entry:9' }])
  const pages = [{ path: '/a', key: 'entry:1', former: '{"formerPaths":["/old"]}' }]
  await goLive(dataDir, { pages })
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  const first = await settleAddresses(db, ledger)
  assert.deepEqual([first.isSame, first.unrecorded], [false, [{ path: '/a', key: 'entry:1' }]])
  assert.equal(first.files.get('../redirects.map'), '/old /a;\n')
  assert.equal(first.files.get('../gone.map'), '/gone 1;\n')
  const written = [...first.files].map(([file, text]) => ({ file, hash: shortHash(text), size: 1 }))
  saveFiles(ledger, { written, removed: [] })
  assert.equal((await settleAddresses(db, ledger)).isSame, true)
  saveFiles(ledger, { written: [], removed: ['../gone.map'] })
  assert.equal((await settleAddresses(db, ledger)).isSame, false)
  saveFiles(ledger, { written, removed: [] })
  await goLive(dataDir, { id: '20261120T110000000Z', pages: [{ path: '/a', key: 'entry:1' }] })
  assert.equal((await settleAddresses(db, ledger)).isSame, false)
})

test('only new or reassigned addresses are recorded', async (t) => {
  const db = await openTestDatabase(t)
  const settle = async (pages: Record<string, string>) => {
    const addresses = createPageAddresses()
    for (const [path, key] of Object.entries(pages)) addresses.note({ path, key })
    const { unrecorded } = await addresses.settle(db)
    await savePublishedAddresses(db, unrecorded)
    return unrecorded.map(({ path }) => path)
  }
  assert.deepEqual(await settle({ '/a': 'entry:1', '/b': 'entry:2' }), ['/a', '/b'])
  assert.deepEqual(await settle({ '/a': 'entry:1', '/b': 'entry:3' }), ['/b'])
  assert.deepEqual(await settle({ '/a': 'entry:1', '/b': 'entry:3' }), [])
})
