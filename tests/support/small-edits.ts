import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { type EntrySnapshot, toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { inputOf } from '#src/entries/history/restore-entry.ts'
import { editTerm, loadTaxonomy, type TermEdit } from '#src/entries/terms/change-terms.ts'
import { findContentTypeById } from '#src/entries/types/content-type-store.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')

/** Saves an entry with other values, like the editor does. */
export async function editEntry(
  db: Kysely<Schema>,
  id: number,
  values: Partial<EntrySnapshot>,
  now = NOW,
): Promise<void> {
  const edit = await inputWith(db, id, values)
  const outcome = await saveEntry(db, { ...edit, id }, { now })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
}

/** Saves such values as a draft. */
export async function draftEntry(
  db: Kysely<Schema>,
  id: number,
  values: Partial<EntrySnapshot>,
): Promise<void> {
  const edit = await inputWith(db, id, values)
  const outcome = await saveDraft(db, { ...edit, id }, { now: NOW })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
}

async function inputWith(db: Kysely<Schema>, id: number, { data, ...values }: Partial<EntrySnapshot>) {
  const entry = await findEntryById(db, id)
  const type = entry && (await findContentTypeById(db, entry.typeId))
  if (!entry || !type) throw new Error(`no entry ${id}`)
  const snapshot = toSnapshot(entry, await listTermIdsOfEntry(db, id))
  const input = await inputOf(db, type, { ...snapshot, ...values, data: { ...snapshot.data, ...data } })
  return { type, input }
}

/** Saves a place with other values, like the admin does. */
export async function editPlace(
  db: Kysely<Schema>,
  id: number | undefined,
  values: Partial<TermEdit>,
  now = NOW,
): Promise<void> {
  const term = (await loadTaxonomy(db, 'locations'))?.tree.byId.get(id ?? 0)
  if (!term) throw new Error(`no place ${id}`)
  const { name, slug, description, parentId, kind } = term
  const edit = { name, slug, description, parentId, kind, ...values }
  const outcome = await editTerm(db, 'locations', { termId: term.id, edit }, { now })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
}
