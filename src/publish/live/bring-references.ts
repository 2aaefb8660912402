import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { scheduleTexts } from '../../messages/server/publishing.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { type ContentRow, type ContentTable, insertRows, listRows } from './content-row-store.ts'

interface Bringing {
  entry: Entry
  termIds: readonly number[]
}

/**
 * Copies what an entry refers to and the live site doesn't have yet: its type, its terms with their ancestors, its
 * pictures, and its form. Anything live stays unchanged. `taken`: another row still has the slug. `formSlug` is the
 * form's slug on the live site, if it differs.
 */
export async function bringReferences(
  live: Db,
  db: Db,
  { entry, termIds }: Bringing,
): Promise<{ kind: 'brought'; formSlug?: string } | { kind: 'taken'; problem: string }> {
  const { typeId, data } = entry
  await bringRow(live, db, { table: 'content_types', column: 'id', value: typeId })
  await bringPictures(live, db, namesInText(entry.body).union(namesInValues(data)))
  for (const id of [...termIds, Number(data.location_term_id ?? 0)]) {
    const problem = await bringTerm(live, db, id)
    if (problem) return { kind: 'taken', problem }
  }
  const formSlug = await bringForm(live, db, data.form)
  return formSlug === undefined ? { kind: 'brought' } : { kind: 'brought', formSlug }
}

/** Copies pictures unless they are live. */
export async function bringPictures(live: Db, db: Db, names: Iterable<string>): Promise<void> {
  for (const name of names)
    await bringRow(live, db, { table: 'library_pictures', column: 'name', value: name })
}

interface Wanted {
  table: ContentTable
  column: string
  value: unknown
}

/** Copies a row unless it exists; returns whether it was copied. */
async function bringRow(live: Db, db: Db, { table, column, value }: Wanted): Promise<ContentRow | undefined> {
  const [known] = await listRows(live, table, column, [value])
  if (known) return undefined
  const [row] = await listRows(db, table, column, [value])
  if (row) await insertRows(live, table, [row])
  return row
}

/** Copies a term and its ancestors unless they are live. Returns why that's impossible, or undefined. */
export async function bringTerm(live: Db, db: Db, id: number): Promise<string | undefined> {
  const [known] = await listRows(live, 'taxonomy_terms', 'id', [id])
  const [row] = known ? [] : await listRows(db, 'taxonomy_terms', 'id', [id])
  if (!row) return undefined
  const [sameSlug] = (await listRows(live, 'taxonomy_terms', 'slug', [row.slug])).filter(
    ({ taxonomy_id }) => taxonomy_id === row.taxonomy_id,
  )
  if (sameSlug) return scheduleTexts.slugTaken({ holder: `${sameSlug.name}`, name: `${row.name}` })
  await bringRow(live, db, { table: 'taxonomies', column: 'id', value: row.taxonomy_id })
  const problem = row.parent_id === null ? undefined : await bringTerm(live, db, Number(row.parent_id))
  if (problem) return problem
  await insertRows(live, 'taxonomy_terms', [row])
  return undefined
}

/** Copies a form unless it is live. Returns its slug on the live site, if that differs. */
export async function bringForm(live: Db, db: Db, slug: unknown): Promise<string | undefined> {
  if (!slug) return undefined
  const [row] = await listRows(db, 'forms', 'slug', [slug])
  const [known] = row ? await listRows(live, 'forms', 'id', [row.id]) : []
  if (known) return known.slug === slug ? undefined : String(known.slug)
  const [sameSlug] = await listRows(live, 'forms', 'slug', [slug])
  if (!row || sameSlug) return undefined
  await insertRows(live, 'forms', [row])
  await insertRows(live, 'form_fields', await listRows(db, 'form_fields', 'form_id', [row.id]))
  return undefined
}
