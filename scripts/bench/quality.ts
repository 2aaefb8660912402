import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Schema } from '../../src/db/schema.ts'
import { insertEntries } from '../../src/entries/entry-store.ts'
import { findContentType } from '../../src/entries/types/content-type-store.ts'
import { loadOwnTexts } from '../../src/site/quality/own-texts.ts'
import type { Measurement } from './report.ts'

const PAGES = 100_000
const WORDS_PER_PAGE = 80
const VOCABULARY = 4_000
// Every fifth text is one of these.
const COPIED_TEXTS = 1_000
const NOW = new Date('2026-11-20T10:00:00.000Z')

/** Compares the texts of 100,000 local pages, 80 words each; every fifth is a copy. */
export async function benchQuality(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const db = connectDatabase(`file:${join(folder, 'bench.db')}`)
  try {
    await migrate(db)
    await fill(db)
    return await compare(db)
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(db: Kysely<Schema>): Promise<Measurement[]> {
  const type = await findContentType(db, 'location_services')
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const texts = await loadOwnTexts(db, type, NOW)
  const { user, system } = process.cpuUsage(before)
  const copies = [...texts.values()].filter(({ copied }) => copied === 1).length
  return [
    { name: 'local pages with texts of 80 words', value: texts.size, unit: 'pages' },
    { name: 'of them found to be copies', value: copies, unit: 'pages' },
    { name: 'time', value: (performance.now() - startedAt) / 1_000, unit: 's' },
    { name: 'processor time', value: (user + system) / 1e6, unit: 's' },
    { name: 'memory of the process', value: process.memoryUsage().rss / 1e6, unit: 'MB' },
  ]
}

async function fill(db: Kysely<Schema>) {
  const type = await findContentType(db, 'location_services')
  const random = createRandom()
  const copied = Array.from({ length: COPIED_TEXTS }, () => aText(random))
  const entries = Array.from({ length: PAGES }, (_, number) => ({
    slug: `service/place-${number}`,
    title: '',
    status: 'published' as const,
    body: '',
    data: { intro: number % 5 === 0 ? copied[random(COPIED_TEXTS)] : aText(random) },
    isGenerated: false,
  }))
  await db
    .transaction()
    .execute((trx) => insertEntries(trx, type?.id ?? 0, entries, { now: NOW.toISOString() }))
}

type Random = (below: number) => number

// The same texts in every run.
function createRandom(): Random {
  let state = 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

function aText(random: Random): string {
  return Array.from({ length: WORDS_PER_PAGE }, () => wordOf(random(VOCABULARY))).join(' ')
}

// 0 is `aaa`, 1 is `aab`.
function wordOf(number: number): string {
  return [number / 676, number / 26, number]
    .map((part) => String.fromCharCode(97 + (Math.floor(part) % 26)))
    .join('')
}
