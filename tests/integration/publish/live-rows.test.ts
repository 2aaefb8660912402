import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ContentChange } from '#src/publish/changes/change-store.ts'
import {
  continueLiveContent,
  liveContentFile,
  removeFormerLiveContent,
  sharedBytes,
  startLiveCopy,
  writeLiveContent,
} from '#src/publish/live/live-content.ts'
import { liveCopy, passCopyOn } from '#src/publish/live/live-files.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const LATER = '2026-11-20T13:00:00.000Z'
const [FIRST, NEXT] = [{ id: '20261120T100000000Z' }, { id: '20261120T110000000Z' }]

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const folder = join(dataDir, 'live-content')
  const places = await addPlaces(db, 'usa/texas')
  const page = (slug: string, values = {}) => addEntry(db, 'pages', { slug, title: slug, ...values })
  const about = await page('about')
  const live = (release: { id: string }) => ({ dataDir, release, bundle: 'b1', shownAt: NOW })
  const write = (release = FIRST) => writeLiveContent(db, live(release))
  const touched = (subject: ContentChange['subject'], ...ids: number[]) =>
    ids.map((id) => ({ subject, subjectId: `${id}` }))
  const next = (bytes: number, changes: ContentChange[]) =>
    continueLiveContent(db, { ...live(NEXT), before: FIRST, bytes, touched: changes })
  return { db, dataDir, folder, places, page, about, live, write, touched, next }
}

/** The tables and the slugs or keys of rows; IDs of rows that make room. */
function read(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [table = '', json] = line.split('\t')
      if (json === undefined) return table
      const row = JSON.parse(json)
      return `${table} ${Array.isArray(row) ? row.join() : (row.slug ?? row.key ?? row.name ?? row.term_id)}`
    })
}

test('the rows that a release shows are written completely', async (t) => {
  const { db, dataDir, folder, places, page, write } = await aSite(t)
  await page('draft', { status: 'draft' })
  await page('soon', { publishAt: LATER })
  await page('ended', { unpublishAt: NOW.toISOString() })
  const id = await addEntry(db, 'services', { slug: 'ac' })
  await offer(db, { slug: 'ac', id }, { slug: 'texas', id: places.get('texas') ?? 0 })
  await db
    .insertInto('settings')
    .values([
      { key: 'site', value_json: '{}', updated_at: '' },
      { key: 'x', value_json: '{}', updated_at: '' },
    ] as never)
    .execute()
  mkdirSync(folder)
  const copy = await liveCopy(dataDir, FIRST)
  writeFileSync(copy, 'of the former file')
  const bytes = await write()
  const file = liveContentFile(dataDir, FIRST)
  assert.equal(bytes, statSync(file).size)
  assert.equal(statSync(file).mode & 0o077, 0)
  assert.ok(!existsSync(copy))
  const [header = '', ...lines] = readFileSync(file, 'utf8').split('\n')
  assert.deepEqual(JSON.parse(header), { bundle: 'b1', shownAt: NOW.toISOString(), release: FIRST.id })
  const rows = read(lines.join('\n'))
  assert.deepEqual([rows[0], rows.at(-1)], ['settings site', 'end'])
  const entries = rows.filter((row) => row.startsWith('content_entries'))
  assert.deepEqual(entries, ['content_entries about', 'content_entries ac', 'content_entries ac/texas'])
  assert.deepEqual([...new Set(rows.map((row) => row.split(' ')[0]))].slice(0, 6), [
    'settings',
    'content_types',
    'taxonomies',
    'taxonomy_terms',
    'forms',
    'form_fields',
  ])
  assert.ok(!lines.some((line) => line.includes('service_entry_id"') && line.includes('"updated_by":"')))
  assert.deepEqual(readdirSync(folder), [`${FIRST.id}.jsonl`])
})

test('the next release appends what was saved since to the same file', async (t) => {
  const { dataDir, places, page, about, write, touched, next } = await aSite(t)
  const bytes = await write()
  const file = liveContentFile(dataDir, FIRST)
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, `${before}of a publish that never went live\n`)
  const copies = [await liveCopy(dataDir, FIRST), await liveCopy(dataDir, NEXT)] as const
  writeFileSync(copies[0], 'copy')
  const [hidden, added] = [await page('hidden', { status: 'draft' }), await page('new')]
  const terms = [...places.values()]
  const changes = [...touched('entry', about, hidden, added, about), ...touched('term', ...terms)]
  const size = await next(bytes, changes)
  const text = readFileSync(liveContentFile(dataDir, NEXT), 'utf8')
  assert.equal(size, text.length)
  assert.ok(text.startsWith(before))
  const [header = '', ...rows] = read(text.slice(bytes))
  assert.equal(JSON.parse(header).release, NEXT.id)
  assert.deepEqual(rows, [
    ...['taxonomy_terms usa', 'taxonomy_terms texas'],
    `content_entries ${about},${hidden},${added}`,
    ...['content_entries about', 'content_entries new', 'end'],
  ])
  assert.deepEqual(
    copies.map((copy) => existsSync(copy)),
    [false, true],
  )
  const shared = (given: object) => sharedBytes(dataDir, { release: NEXT, before: FIRST, bytes, ...given })
  assert.deepEqual(
    [shared({}), shared({ before: { id: 'x' } }), shared({ release: { id: 'x' } })],
    [bytes, 0, 0],
  )
  removeFormerLiveContent(dataDir, NEXT)
  assert.ok(!existsSync(file) && existsSync(copies[1]) && existsSync(liveContentFile(dataDir, NEXT)))
  removeFormerLiveContent(join(dataDir, 'none'), NEXT)
})

test('a file that isn’t complete is not continued', async (t) => {
  const { dataDir, write, next, about, touched } = await aSite(t)
  assert.equal(await next(0, []), undefined)
  const bytes = await write()
  assert.equal(await next(bytes + 1, touched('entry', about)), undefined)
  assert.ok(!existsSync(liveContentFile(dataDir, NEXT)))
  mkdirSync(liveContentFile(dataDir, NEXT))
  assert.equal(await next(bytes, []), undefined, 'it can’t be linked')
  await write(FIRST)
  const other = await write({ id: 'other' })
  assert.equal(sharedBytes(dataDir, { release: { id: 'other' }, before: FIRST, bytes: other }), 0)
})

test('the file of another server’s release starts with the rows that this one has', async (t) => {
  const { dataDir, write } = await aSite(t)
  const start = (bytes: number, before: string | undefined = FIRST.id) =>
    startLiveCopy(dataDir, { id: NEXT.id, before, bytes })
  const file = liveContentFile(dataDir, NEXT)
  assert.equal(start(5), undefined)
  assert.equal(start(0), file)
  assert.equal(statSync(file).size, 0)
  const bytes = await write()
  assert.equal(start(bytes + 1), undefined)
  assert.ok(!existsSync(file))
  assert.equal(start(bytes), file)
  assert.equal(statSync(file).ino, statSync(liveContentFile(dataDir, FIRST)).ino)
  rmSync(file)
  writeFileSync(file, 'left')
  assert.equal(startLiveCopy(dataDir, { id: NEXT.id, before: undefined, bytes: 5 }), file)
  assert.equal(readFileSync(file, 'utf8'), '')
})

test('the database of the last release is passed on if there is one', async (t) => {
  const { dataDir, folder } = await aSite(t)
  const [from, to] = [await liveCopy(dataDir, FIRST), await liveCopy(dataDir, NEXT)]
  await passCopyOn(dataDir, { from: FIRST, to: NEXT })
  mkdirSync(folder)
  writeFileSync(from, 'rows')
  await passCopyOn(dataDir, { from: FIRST, to: NEXT })
  assert.deepEqual([existsSync(from), readFileSync(to, 'utf8')], [false, 'rows'])
  mkdirSync(from)
  await assert.rejects(passCopyOn(dataDir, { from: FIRST, to: NEXT }), { code: 'ENOTDIR' })
})
