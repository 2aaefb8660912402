import type { Db } from '../../db/schema.ts'
import { putReturnedEntriesBack } from '../../entries/trash/restore-trashed-entry.ts'
import { putReturnedTermsBack } from '../../entries/trash/restore-trashed-term.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import type { Saving } from '../../versions/version.ts'
import type { ContentDocument } from '../document.ts'
import { documentsFromDatabase } from '../documents-from-database.ts'
import type { PathPlan } from './plan-paths.ts'

/**
 * Restores entries and terms that an earlier sync removed and whose files return, so that they keep their IDs, to which
 * leads and users' limits refer. Returns the documents to write: `written`, and those of rows that no longer equal their
 * files, because links and references to a restored row return with it. Call it inside a sync's transaction.
 */
export async function putReturnedBack(
  db: Db,
  { plans, written }: { plans: readonly PathPlan[]; written: readonly ContentDocument[] },
  saving: Saving,
): Promise<readonly ContentDocument[]> {
  // The pages of a place need their services.
  const entries = await putEntriesBack(db, written, saving)
  const terms = await putTermsBack(db, written, saving)
  if (entries + terms === 0) return written
  const rows = await documentsFromDatabase(db)
  const changed = plans.flatMap(({ path, decision, file, row }) =>
    decision === 'agree' && file && rows.get(path)?.sha256 !== row?.sha256 ? [file] : [],
  )
  return [...written, ...changed]
}

async function putEntriesBack(db: Db, written: readonly ContentDocument[], saving: Saving): Promise<number> {
  let count = 0
  const entries = written.filter((document) => document.kind === 'entry')
  for (const [typeSlug, documents] of Map.groupBy(entries, ({ type }) => type)) {
    const type = await findContentType(db, typeSlug)
    const slugs = documents.map(({ slug }) => slug)
    count += type ? await putReturnedEntriesBack(db, type, slugs, saving) : 0
  }
  return count
}

async function putTermsBack(db: Db, written: readonly ContentDocument[], saving: Saving): Promise<number> {
  let count = 0
  for (const { slug, definition } of written.filter((document) => document.kind === 'taxonomy')) {
    const slugs = [...walkTerms(definition.terms)].map(({ term }) => term.slug)
    count += await putReturnedTermsBack(db, slug, slugs, saving)
  }
  return count
}
