import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { trashLimit } from '../../versions/trash-days.ts'
import { deleteTrashed, findTrashed, listTrashedBefore, type Trashed } from '../../versions/trash-store.ts'
import { deleteVersions } from '../../versions/version-store.ts'
import { forgetRemovedPages } from '../offers/removed-page-store.ts'
import type { TrashedEntry } from './trash-entry.ts'
import type { TrashedTerm } from './trash-term.ts'

const BATCH = 20

/**
 * Deletes what has been in the trash for 30 days, with its versions; returns the number of items. `signal` stops it
 * between items.
 */
export async function emptyTrash(
  db: Kysely<Schema>,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  let removed = 0
  for (;;) {
    const old = await listTrashedBefore(db, trashLimit(now), { limit: BATCH })
    for (const trashed of old) {
      if (signal?.aborted) return removed
      await remove(db, trashed)
      removed += 1
    }
    if (old.length < BATCH) return removed
  }
}

function remove(db: Kysely<Schema>, { id, subject }: Trashed): Promise<void> {
  return changeContent(db, async (trx) => {
    const content = (await findTrashed(trx, id))?.content
    if (!content || !(await deleteTrashed(trx, id))) return
    // The files of a picture are then orphans, which the next sweep removes.
    if (subject.kind === 'form' || subject.kind === 'picture')
      return deleteVersions(trx, subject.kind, [subject.id])
    const { entries, terms } = subject.kind === 'term' ? idsOfTerm(content) : idsOfEntry(content)
    await deleteVersions(trx, 'entry', entries)
    await deleteVersions(trx, 'term', terms)
    await forgetRemovedPages(trx, { services: entries, places: terms })
  })
}

function idsOfEntry(content: unknown) {
  return { entries: (content as TrashedEntry).rows.entries.map(({ id }) => id), terms: [] }
}

function idsOfTerm(content: unknown) {
  const { terms, pages } = content as TrashedTerm
  return { entries: pages.entries.map(({ id }) => id), terms: terms.map(({ id }) => id) }
}
