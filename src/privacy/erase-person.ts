import type { Kysely } from 'kysely'
import { appendAuditEntry, redactAuditEntry } from '../auth/audit/audit-chain.ts'
import { countRemoval } from '../db/removals-store.ts'
import type { Db, Schema } from '../db/schema.ts'
import { truncateLog } from '../db/truncate-log.ts'
import type { FileStore } from '../files/file-store.ts'
import { privacyActivity } from '../messages/admin/privacy/privacy.ts'
import { addUpLeads } from '../submissions/results/add-up-leads.ts'
import { renameSubjects } from '../submissions/results/rename-subjects.ts'
import { deleteSubmissions } from '../submissions/retention/retention-store.ts'
import { addPending } from '../submissions/search/search-store.ts'
import { removeUploadFiles } from '../submissions/uploads/upload-sweep.ts'
import {
  addErased,
  type Eraser,
  type Erasure,
  findUnfinished,
  finishErasure,
  insertErasure,
} from './erasure-store.ts'
import { findLeads } from './find-person.ts'
import type { Person } from './person.ts'
import { createPersonPattern, type PersonPattern } from './person-pattern.ts'
import { LEADS, PERSONAL_TABLES, type PersonalTable } from './personal-columns.ts'
import { countOfLeads, type PersonalRow, updateTexts } from './personal-text-store.ts'
import { walkTexts } from './walk-texts.ts'

/** A lead may have hundreds of deliveries. */
const STEP = 20

interface EraseOptions {
  files: FileStore
  now: () => Date
  signal?: AbortSignal | undefined
}

/** Requests the erasure of a person, which `finishErasures` carries out, even after a crash. Returns its ID. */
export function requestErasure(
  db: Db,
  person: Person,
  eraser: Eraser,
  { now }: { now: Date },
): Promise<number> {
  return insertErasure(db, person, eraser, { now })
}

/**
 * Carries out all requested erasures: deletes the person's leads with files, notes, emails, and deliveries, and
 * removes the person from all other texts. Resumes after an interruption and stops early if `signal` aborts. Returns
 * what was finished. On SQLite, the file contains copies of rows until it is rewritten (src/db/rewrite-file.ts).
 */
export async function finishErasures(db: Kysely<Schema>, options: EraseOptions): Promise<Erasure[]> {
  const finished: Erasure[] = []
  for (;;) {
    const erasure = await findUnfinished(db)
    if (!erasure || options.signal?.aborted) return finished
    const { id, person, ...eraser } = erasure
    await eraseRows(db, id, { ...options, pattern: createPersonPattern(person), person, eraser })
    if (options.signal?.aborted) return finished
    const done = await finish(db, id, eraser, options.now())
    if (done) finished.push(done)
    await truncateLog(db)
  }
}

interface Erasing extends EraseOptions {
  person: Person
  pattern: PersonPattern
  eraser: Eraser
}

async function eraseRows(db: Kysely<Schema>, id: number, erasing: Erasing): Promise<void> {
  const { person, pattern, files, signal } = erasing
  const { leads } = await findLeads(db, person, pattern)
  for (let start = 0; start < leads.length && !signal?.aborted; start += STEP) {
    const step = leads.slice(start, start + STEP)
    const { uploads } = await countOfLeads(db, step)
    await removeUploadFiles(db, step, { files })
    await db.transaction().execute(async (trx) => {
      await deleteSubmissions(trx, step)
      await addErased(trx, id, { leads: step.length, files: uploads })
    })
  }
  for (const table of [LEADS, ...PERSONAL_TABLES])
    for await (const rows of walkTexts(db, table, pattern, signal))
      for (const row of rows) await redactRow(db, id, { table, row, erasing })
  await redactSums(db, id, erasing)
}

// Sums stay: only their pages and sources may name a person. Changes of the leads above are among them.
async function redactSums(db: Kysely<Schema>, id: number, { pattern, signal }: Erasing): Promise<void> {
  await addUpLeads(db, signal && { signal })
  const texts = await renameSubjects(db, pattern.redact, signal)
  if (texts > 0) await addErased(db, id, { texts })
}

async function redactRow(
  db: Kysely<Schema>,
  id: number,
  { table, row, erasing }: { table: PersonalTable; row: PersonalRow; erasing: Erasing },
): Promise<void> {
  const { pattern, eraser, now } = erasing
  const texts = redactTexts(row, pattern)
  if (Object.keys(texts).length === 0) return
  await db.transaction().execute(async (trx) => {
    if (table.table === 'audit_log') {
      const entry = { ...eraser, action: 'audit.redacted', summary: privacyActivity.redacted(row.id) }
      await redactAuditEntry(trx, { id: row.id, texts, entry }, { now: now() })
    } else {
      await updateTexts(trx, table, { id: row.id, texts })
      if (table === LEADS) await addPending(trx, [row.id])
    }
    await addErased(trx, id, { texts: 1 })
  })
}

function redactTexts({ texts }: PersonalRow, pattern: PersonPattern): Record<string, string> {
  const changed = Object.entries(texts).flatMap(([column, text]) => {
    const redacted = text === null ? null : pattern.redactJson(text)
    return redacted === null || redacted === text ? [] : [[column, redacted] as const]
  })
  return Object.fromEntries(changed)
}

function finish(db: Kysely<Schema>, id: number, eraser: Eraser, now: Date): Promise<Erasure | undefined> {
  return db.transaction().execute(async (trx) => {
    const done = await finishErasure(trx, id, { now, removal: await countRemoval(trx) })
    if (!done) return undefined
    const summary = privacyActivity.erased(done)
    const subject = { subjectType: 'privacy_erasure', subjectId: id }
    await appendAuditEntry(trx, { ...eraser, ...subject, action: 'privacy.erased', summary }, { now })
    return done
  })
}
