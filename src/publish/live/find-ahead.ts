import type { Db } from '../../db/schema.ts'
import { findEntryById } from '../../entries/entry-lookup-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { ContentChange, LoggedChange } from '../changes/change-store.ts'
import { type ContentTable, listRows } from './content-row-store.ts'

/** Logged changes to compare, by table. */
const TABLES: Partial<Record<ContentChange['subject'], { table: ContentTable; column: string }>> = {
  term: { table: 'taxonomy_terms', column: 'id' },
  taxonomy: { table: 'taxonomies', column: 'id' },
  type: { table: 'content_types', column: 'id' },
  form: { table: 'forms', column: 'id' },
  picture: { table: 'library_pictures', column: 'name' },
  setting: { table: 'settings', column: 'key' },
}

/**
 * Returns the logged changes whose subject is already the same in the live content: published on its own, changed
 * along with something else, or undone.
 */
export async function findAhead(
  live: Db,
  db: Db,
  { logged, now }: { logged: readonly LoggedChange[]; now: Date },
): Promise<LoggedChange[]> {
  const ahead: LoggedChange[] = []
  for (const change of logged) {
    const [shown, saved] = [await describe(live, change, now), await describe(db, change, now)]
    if (shown !== undefined && shown === saved) ahead.push(change)
  }
  return ahead
}

// Undefined for what can't be compared.
async function describe(
  db: Db,
  { subject, subjectId }: ContentChange,
  now: Date,
): Promise<string | undefined> {
  if (subject === 'entry' || subject === 'entry_terms') return describeEntry(db, Number(subjectId), now)
  const of = TABLES[subject]
  if (!of) return undefined
  const [row] = await listRows(db, of.table, of.column, [of.column === 'id' ? Number(subjectId) : subjectId])
  if (subject !== 'form' || !row) return describeRow(row)
  const fields = await listRows(db, 'form_fields', 'form_id', [row.id])
  return [row, ...fields.toSorted((a, b) => Number(a.id) - Number(b.id))].map(describeRow).join('\n')
}

async function describeEntry(db: Db, id: number, now: Date): Promise<string> {
  const entry = await findEntryById(db, id)
  if (!entry || !isPublicAt(entry, now)) return ''
  const { createdAt: _created, updatedAt: _updated, publishAt: _from, unpublishAt: _until, ...shown } = entry
  const links = await listRows(db, 'entry_taxonomy_terms', 'entry_id', [id])
  return canonicalJson({
    ...shown,
    termIds: links.map(({ term_id }) => Number(term_id)).toSorted((a, b) => a - b),
  })
}

function describeRow(row: Record<string, unknown> | undefined): string {
  const { updated_at: _updated, created_at: _created, updated_by: _by, ...values } = row ?? {}
  return canonicalJson(values)
}
