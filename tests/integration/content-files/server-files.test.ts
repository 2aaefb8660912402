import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { saveContentFileBases } from '#src/content-files/content-file-store.ts'
import type { ContentDocument } from '#src/content-files/document.ts'
import {
  addKnownFiles,
  listKnownFiles,
  listServerFiles,
  saveServerFiles,
} from '#src/content-files/file-history-store.ts'
import { withoutOlderFiles } from '#src/content-files/syncing/older-files.ts'
import type { SyncOptions } from '#src/content-files/syncing/sync-options.ts'
import { canonicalJson, sha256Hex } from '#src/lib/canonical-json.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { anEntry, aPlan } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const DAY_MS = 86_400_000
const PATH = 'pages/about.md'

const version = (title: string) => anEntry(PATH, { title })
const hashOf = (document: ContentDocument) => ({ path: PATH, sha256: sha256Hex(canonicalJson(document)) })
/** In files only: what was synced is known to be right. */
const REFERENCE = { to: 'form' as const, slug: 'quote', line: 2 }
const [OLD, NEW, EDITED] = [version('Old'), version('New'), version('Edited')]

interface Sides {
  /** The file on this server. */
  file?: ContentDocument
  /** The file at the last sync of any server; null if there was none. */
  base?: ContentDocument | null
  /** The file at this server's last sync. */
  before?: ContentDocument
  /** Files that any server synced. */
  known?: readonly ContentDocument[]
}

async function filesOf(
  t: TestContext,
  { file, base, before, known = [] }: Sides,
  options: Partial<SyncOptions>,
) {
  const db = await openTestDatabase(t)
  const now = NOW.toISOString()
  if (base !== undefined)
    await saveContentFileBases(db, [{ path: PATH, document: base, rowSha256: '' }], { now })
  if (before) await saveServerFiles(db, 'a', { files: [hashOf(before)], removed: [], now: NOW })
  await addKnownFiles(db, known.map(hashOf))
  const given = file ? [{ path: PATH, document: file, references: [REFERENCE], mistakes: [] }] : []
  const found = await withoutOlderFiles(db, given, {
    ...{ contentDir: '', environment: {}, secretBox: createSecretBox(new Uint8Array(32)), now: NOW },
    pictureFiles: undefined as never,
    server: 'a',
    ...options,
  })
  return { db, ...found, documents: found.files.map(({ document }) => document) }
}

for (const [name, sides, expected] of [
  ['the file is new', { file: NEW }, NEW],
  ['the file is as synced', { file: NEW, base: NEW, before: NEW }, NEW],
  ['the file changed here', { file: EDITED, base: NEW, before: NEW }, EDITED],
  ['the file changed here, after another server’s change', { file: EDITED, base: NEW, before: OLD }, EDITED],
  ['another server changed it', { file: OLD, base: NEW, before: OLD, known: [OLD] }, NEW],
  ['another server changed it back', { file: NEW, base: OLD, before: NEW, known: [OLD, NEW] }, OLD],
  ['another server removed it', { file: OLD, before: OLD, known: [OLD] }, undefined],
  ['another server removed it and its row stayed', { file: OLD, base: null, before: OLD }, undefined],
  ['it was changed back to an older version here', { file: OLD, base: NEW, before: NEW, known: [OLD] }, OLD],
  ['a joining server has an older version', { file: OLD, base: NEW, known: [OLD] }, NEW],
  ['a joining server has an unknown version', { file: EDITED, base: NEW, known: [OLD] }, EDITED],
  ['a joining server has the newest version', { file: NEW, base: NEW, known: [OLD, NEW] }, NEW],
  ['another server added it', { base: NEW }, NEW],
  ['it was deleted here', { base: NEW, before: NEW }, undefined],
  ['it is nowhere, but its row was settled', { base: null }, undefined],
] as [string, Sides, ContentDocument | undefined][]) {
  test(`files of several servers: ${name}`, async (t) => {
    const { files, documents } = await filesOf(t, sides, {})
    assert.deepEqual(documents, expected ? [expected] : [])
    const references = files.flatMap((file) => file.references)
    assert.deepEqual(references, expected && expected === sides.file ? [REFERENCE] : [])
  })
}

test('a sync of the only server, or with a preference, takes the files as they are and remembers nothing', async (t) => {
  const sides = { file: OLD, base: NEW, before: OLD, known: [OLD] }
  for (const options of [{ server: undefined }, { prefer: 'file' as const }, { only: PATH }]) {
    const { documents, db, remember } = await filesOf(t, sides, options)
    assert.deepEqual(documents, [OLD])
    await remember([])
    assert.deepEqual(await listKnownFiles(db, [hashOf(NEW)]), [])
  }
})

test('a sync remembers this server’s files, except those that it left alone', async (t) => {
  const remembered = async (sides: Sides, ...plans: ReturnType<typeof aPlan>[]) => {
    const { db, remember } = await filesOf(t, sides, {})
    await remember(plans)
    const known = []
    for (const one of [OLD, NEW, EDITED])
      if ((await listKnownFiles(db, [hashOf(one)])).length > 0) known.push(one.title)
    return [(await listServerFiles(db, 'a')).get(PATH), known]
  }
  const synced = aPlan('write', { file: EDITED })
  const conflict = aPlan('conflict', { file: EDITED, row: NEW })
  const sides = { file: EDITED, base: NEW, before: OLD }
  assert.deepEqual(await remembered(sides, synced), [hashOf(EDITED).sha256, ['New', 'Edited']])
  assert.deepEqual(await remembered(sides, conflict), [hashOf(OLD).sha256, ['New']])
  assert.deepEqual(await remembered({ base: NEW, before: NEW }, aPlan('remove', { row: NEW })), [
    undefined,
    ['New'],
  ])
  assert.deepEqual(await remembered({ base: NEW, before: NEW }, aPlan('conflict', { row: NEW })), [
    hashOf(NEW).sha256,
    ['New'],
  ])
  assert.deepEqual(await remembered({ base: null, file: OLD }, aPlan('write', { file: OLD })), [
    hashOf(OLD).sha256,
    ['Old'],
  ])
})

test('a server’s files are forgotten half a year after its last sync', async (t) => {
  const db = await openTestDatabase(t)
  const files = [hashOf(OLD)]
  const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
  await saveServerFiles(db, 'a', { files, removed: [], now: NOW })
  await saveServerFiles(db, 'b', { files: [], removed: [PATH], now: later(180) })
  assert.equal((await listServerFiles(db, 'a')).size, 1)
  await saveServerFiles(db, 'b', { files: [], removed: [], now: later(181) })
  assert.equal((await listServerFiles(db, 'a')).size, 0)
})
