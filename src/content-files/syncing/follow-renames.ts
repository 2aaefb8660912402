import type { Db } from '../../db/schema.ts'
import { findEntryById, renameEntry } from '../../entries/entry-lookup-store.ts'
import { recordAround } from '../../entries/history/record-entry.ts'
import { followPlace } from '../../entries/offers/follow-place.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { recordTerm } from '../../taxonomies/record-term.ts'
import { findTaxonomy, listTerms, setTermSlug } from '../../taxonomies/taxonomy-store.ts'
import {
  type ContentFileBase,
  deleteContentFileBases,
  listContentFileBases,
  saveContentFileBases,
} from '../content-file-store.ts'
import { documentsFromDatabase } from '../documents-from-database.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import { findRenames, type Rename } from './find-renames.ts'
import type { RowDocument } from './plan-sync.ts'

/**
 * Renames rows of entries and terms according to their files, so that they keep their IDs, redirect from old
 * addresses, and keep everything that belongs to them. A row that equaled its file still does, so the three-way
 * comparison sees only other changes. Call it inside a sync's transaction, before anything is compared.
 */
export async function followRenames(
  db: Db,
  files: readonly ParsedFile[],
  { now }: { now: string },
): Promise<void> {
  const renames = await findRenames(db, files)
  if (renames.length === 0) return
  const before = await documentsFromDatabase(db)
  for (const rename of renames) await apply(db, rename, { now })
  const after = await documentsFromDatabase(db)
  await moveBases(db, { renames, before, after }, { now })
}

async function apply(db: Db, { kind, owner, id, from, to }: Rename, { now }: { now: string }) {
  const saving = { now, by: { source: 'file' as const } }
  if (kind === 'entry') {
    const entry = await findEntryById(db, id)
    if (entry) await recordAround(db, entry, () => renameEntry(db, id, to), saving)
    return rulesOf(owner).afterRename?.(db, { id, from, to }, { now })
  }
  const taxonomy = await findTaxonomy(db, owner)
  const term = taxonomy && (await listTerms(db, taxonomy.id)).find((one) => one.id === id)
  await setTermSlug(db, id, to)
  if (term) await recordTerm(db, id, { before: term, after: { ...term, slug: to } }, saving)
  if (owner === 'locations') await followPlace(db, { id, from, to }, saving)
}

interface Moves {
  renames: readonly Rename[]
  before: ReadonlyMap<string, RowDocument>
  after: ReadonlyMap<string, RowDocument>
}

async function moveBases(db: Db, moves: Moves, { now }: { now: string }) {
  const bases = [...(await listContentFileBases(db)).values()]
  const moved = new Map(bases.map((base) => [base.path, movedBase(base, moves)]))
  for (const { path, rowSha256 } of bases) {
    const next = moved.get(path)
    if (next?.path === path && next.rowSha256 === rowSha256) moved.delete(path)
  }
  await deleteContentFileBases(db, [...moved.keys()])
  await saveContentFileBases(db, [...moved.values()], { now })
}

// A row that equaled its file still does after the rename.
function movedBase(base: ContentFileBase, { renames, before, after }: Moves): ContentFileBase {
  const path = renames.reduce(movedPath, base.path)
  const isUntouched = before.get(base.path)?.sha256 === base.rowSha256
  const rowSha256 = (isUntouched ? after.get(path)?.sha256 : undefined) ?? base.rowSha256
  return { path, document: path === base.path ? base.document : renamed(base.document, path), rowSha256 }
}

function movedPath(path: string, { kind, owner, from, to }: Rename): string {
  const [folder = '', first, last] = path.replace(/\.md$/, '').split('/')
  if (kind === 'entry' && path === `${owner}/${from}.md`) return `${owner}/${to}.md`
  const { inherits } = rulesOf(folder)
  if (!inherits) return path
  if (kind === 'entry' && owner === inherits.of && first === from) return `${folder}/${to}/${last}.md`
  return kind === 'term' && owner === 'locations' && last === from ? `${folder}/${first}/${to}.md` : path
}

function renamed(document: unknown, path: string): unknown {
  const slug = path.slice(path.indexOf('/') + 1, -'.md'.length)
  return typeof document === 'object' && document !== null ? { ...document, slug } : document
}
