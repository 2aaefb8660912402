import type { Db } from '../../db/schema.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { listDraftsWith } from '../../versions/version-store.ts'
import { listEntriesById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import type { EntrySnapshot } from './entry-snapshot.ts'

/** An entry whose draft uses a picture. */
export interface DraftWithPictures {
  entry: Entry
  /** Names, whether or not there is such a picture. */
  names: ReadonlySet<string>
}

/** Lists the drafts of entries that use this picture, or any. Visitors do not see them yet. */
export async function listDraftsWithPictures(db: Db, name?: string): Promise<DraftWithPictures[]> {
  const drafts = await listDraftsWith(db, 'entry', plainestPartOf(name ?? ''))
  const naming = drafts.flatMap(({ subjectId, content }) => {
    const { body, data } = content as EntrySnapshot
    const names = namesInText(body).union(namesInValues(data))
    return (name === undefined ? names.size > 0 : names.has(name)) ? [{ subjectId, names }] : []
  })
  const entries = await listEntriesById(
    db,
    naming.map(({ subjectId }) => subjectId),
  )
  return naming.flatMap(({ subjectId, names }) => {
    const entry = entries.get(subjectId)
    return entry ? [{ entry, names }] : []
  })
}

// Addresses may encode other characters.
function plainestPartOf(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/g) ?? ['']
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}
