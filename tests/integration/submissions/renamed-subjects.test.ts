import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { findSubjects, renameSubjects } from '#src/submissions/results/rename-subjects.ts'
import { openTestDatabase } from '../../support/database.ts'

const rename = (subject: string) => subject.replace('ada', '…')

type Sum = [period: string, dimension: 'all' | 'page' | 'source' | 'service', subject: string, place: string]

async function addLeadSums(db: Kysely<Schema>, sums: readonly [...Sum, leads: number, won: number][]) {
  const rows = sums.map(([period, dimension, subject, place, leads, won]) => ({
    ...{ period, dimension, subject, place, leads, won },
  }))
  await db.insertInto('lead_counts').values(rows).execute()
}

async function addVisitSums(db: Kysely<Schema>, sums: readonly [...Sum, views: number, taps: number][]) {
  const rows = sums.map(([period, dimension, subject, place, views, taps]) => ({
    ...{ period, dimension, subject, place, views, taps },
  }))
  await db.insertInto('traffic_counts').values(rows).execute()
}

async function listSums(db: Kysely<Schema>, table: 'lead_counts' | 'traffic_counts') {
  const rows = await db.selectFrom(table).selectAll().execute()
  return rows.map((row) => Object.values(row).join(' ')).sort()
}

test('renamed pages and sources get the sums of both names, in each year, month, and place', async (t) => {
  const db = await openTestDatabase(t)
  await addLeadSums(db, [
    ['2024', 'page', '/ada', '#', 1, 0],
    ['2026', 'all', '', '#', 9, 4],
    ['2026', 'page', '/ada', '#', 5, 2],
    ['2026', 'page', '/ada', '#12', 3, 1],
    ['2026', 'page', '/…', '#', 4, 1],
    ['2026', 'service', 'ada', '#', 1, 0],
    ['2026', 'source', 'referral:ada', '#', 2, 0],
    ['2026-01', 'page', '/ada', '#', 2, 1],
    ['2026-12', 'page', '/ada', '#', 3, 1],
    ['2026-12-24', 'page', '/', '#', 7, 2],
  ])
  await addVisitSums(db, [
    ['2025', 'page', '/', '#', 8, 1],
    ['2025', 'source', 'referral:ada', '#', 7, 3],
    ['2025-06', 'source', 'referral:ada', '', 6, 2],
  ])
  const found = await Array.fromAsync(findSubjects(db, rename))
  assert.deepEqual(found, [
    { table: 'lead_counts', year: '2024', dimension: 'page', subject: '/ada' },
    { table: 'lead_counts', year: '2026', dimension: 'page', subject: '/ada' },
    { table: 'lead_counts', year: '2026', dimension: 'source', subject: 'referral:ada' },
    { table: 'traffic_counts', year: '2025', dimension: 'source', subject: 'referral:ada' },
  ])
  assert.equal(await renameSubjects(db, rename), 4)
  assert.deepEqual(await listSums(db, 'lead_counts'), [
    '2024 page /… # 1 0',
    '2026 all  # 9 4',
    '2026 page /… # 9 3',
    '2026 page /… #12 3 1',
    '2026 service ada # 1 0',
    '2026 source referral:… # 2 0',
    '2026-01 page /… # 2 1',
    '2026-12 page /… # 3 1',
    '2026-12-24 page / # 7 2',
  ])
  assert.deepEqual(await listSums(db, 'traffic_counts'), [
    '2025 page / # 8 1',
    '2025 source referral:… # 7 3',
    '2025-06 source referral:…  6 2',
  ])
  assert.equal(await renameSubjects(db, rename), 0)
})

test('all pages of a year are read, in steps, until the end or an abort', async (t) => {
  const db = await openTestDatabase(t)
  const pages = Array.from({ length: 1_003 }, (_, index) => `/${String(index).padStart(4, '0')}`)
  await addLeadSums(
    db,
    pages.map((page) => ['2026', 'page', page, '#', 1, 0]),
  )
  const list = (signal?: AbortSignal) => Array.fromAsync(findSubjects(db, (page) => `${page}x`, signal))
  assert.deepEqual(
    (await list()).map(({ subject }) => subject),
    pages,
  )
  const stopping = new AbortController()
  const read: string[] = []
  for await (const { subject } of findSubjects(db, (page) => `${page}x`, stopping.signal))
    if (read.push(subject) === 1_000) stopping.abort()
  assert.deepEqual(read, pages.slice(0, 1_000))
  assert.deepEqual(await list(AbortSignal.abort()), [])
})
