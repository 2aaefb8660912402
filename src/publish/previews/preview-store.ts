import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { type FromRow, fromRow, toRow } from '../../db/tables/columns.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import type { ContentChange, SelectedChange } from '../changes/change-store.ts'
import { PAGE_KINDS, type PageKinds } from './page-kinds.ts'
import { type PreviewEdit, previewEdit } from './preview-edit.ts'
import type { StagedPreview } from './stage-preview.ts'

type Row = FromRow<
  Omit<
    Selectable<Schema['publish_previews']>,
    'changes_json' | 'selected_json' | 'edits_json' | 'page_kinds_json'
  >
>

/** A link to a preview of the next site. */
export interface Preview extends Row {
  changes: StagedPreview['changes']
  selected: SelectedChange[] | undefined
  edits: PreviewEdit[]
  kinds: PageKinds
}

const changesColumn = jsonColumn(
  z.array(
    z.object({
      change: z.enum(['added', 'changed', 'same', 'removed']),
      path: z.string(),
      key: z.string().default(''),
      title: z.string().optional(),
    }),
  ),
)
const editsColumn = jsonColumn(z.array(previewEdit))
const kindsColumn = jsonColumn(z.partialRecord(z.enum(PAGE_KINDS), z.number()))
const selectedColumn = jsonColumn(
  z.array(
    z.object({
      subject: z.enum([
        ...['entry', 'entry_terms', 'term', 'taxonomy', 'type'],
        ...['form', 'form_file', 'picture', 'setting'],
      ] as ContentChange['subject'][]),
      subjectId: z.string(),
      draft: z.string().optional(),
      changeId: z.number().optional(),
    }),
  ),
)

/** Stores a preview without its pages. */
export async function insertPreview(
  db: Db,
  {
    selected,
    edits,
    ...preview
  }: Pick<Preview, 'tokenSha256' | 'madeAt' | 'madeBy' | 'expiresAt' | 'hasMoreEdits'> & {
    selected: readonly SelectedChange[] | undefined
    edits: readonly PreviewEdit[]
  },
): Promise<number> {
  const columns = {
    ...toRow(preview),
    ...{
      release_id: '',
      change_id: 0,
      pages_sha256: '',
      page_count: 0,
      changes_json: changesColumn.encode([]),
    },
    selected_json: selected ? selectedColumn.encode([...selected]) : null,
    edits_json: editsColumn.encode([...edits]),
  }
  const { id } = await db
    .insertInto('publish_previews')
    .values(columns)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a preview's pages; returns undefined if it was ended in the meantime, or other pages were approved. */
export async function storeStaged(
  db: Db,
  id: number,
  { releaseId, changeId, pagesHash, changes, pageCount, kinds, now }: StagedPreview & { now: Date },
): Promise<Preview | undefined> {
  const row = await db
    .updateTable('publish_previews')
    .set({
      ...{ release_id: releaseId, change_id: changeId, pages_sha256: pagesHash, page_count: pageCount },
      ...{ changes_json: changesColumn.encode(changes), page_kinds_json: kindsColumn.encode(kinds) },
      ready_at: now.toISOString(),
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('failure_message', 'is', null)
    .where(({ or, eb }) => or([eb('approved_at', 'is', null), eb('pages_sha256', '=', pagesHash)]))
    .returningAll()
    .executeTakeFirst()
  return row && toPreview(row)
}

/** Records why previews have no pages: for one, or for all started before a time and not ready. */
export async function failPreviews(
  db: Db,
  { id, before, message }: { id?: number; before?: Date; message: string },
): Promise<void> {
  await db
    .updateTable('publish_previews')
    .set({ failure_message: message })
    .where('ready_at', 'is', null)
    .where('failure_message', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .$if(before !== undefined, (query) => query.where('made_at', '<', (before as Date).toISOString()))
    .execute()
}

/** Lists previews, newest first. */
export async function listPreviews(db: Db, { limit }: { limit: number }): Promise<Preview[]> {
  const rows = await db
    .selectFrom('publish_previews')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toPreview)
}

/** Lists the previews that can still be opened and aren't published, newest first. */
export async function listUnpublishedPreviews(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<Preview[]> {
  const rows = await selectOpen(db, now)
    .selectAll()
    .where('published_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toPreview)
}

export async function findPreview(db: Db, id: number): Promise<Preview | undefined> {
  const row = await db.selectFrom('publish_previews').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPreview(row)
}

/** Returns the preview of a link; undefined if it has expired, was ended, or could not be made. */
export async function findOpenPreview(
  db: Db,
  tokenHash: string,
  { now }: { now: Date },
): Promise<Preview | undefined> {
  const row = await selectOpen(db, now).selectAll().where('token_sha256', '=', tokenHash).executeTakeFirst()
  return row && toPreview(row)
}

/** Lists the hashes of the links that can be opened. */
export async function listOpenTokens(db: Db, { now }: { now: Date }): Promise<string[]> {
  const rows = await selectOpen(db, now).select('token_sha256 as token').execute()
  return rows.map(({ token }) => token)
}

function selectOpen(db: Db, now: Date) {
  return db
    .selectFrom('publish_previews')
    .where('ended_at', 'is', null)
    .where('failure_message', 'is', null)
    .where('expires_at', '>', now.toISOString())
}

/** Ends a link; returns false if it had already ended. */
export async function endPreview(db: Db, id: number, { now }: { now: Date }): Promise<boolean> {
  const result = await db
    .updateTable('publish_previews')
    .set({ ended_at: now.toISOString() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Stores the approval; returns false if there already is one, the link was ended, or its pages are no longer those with
 * this hash, if given.
 */
export async function approvePreview(
  db: Db,
  id: number,
  { name, note, pagesHash, now }: { name: string; note: string; pagesHash?: string | undefined; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('publish_previews')
    .set({ approved_at: now.toISOString(), approved_by: name, approval_note: note === '' ? null : note })
    .where('id', '=', id)
    .where('approved_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('ready_at', 'is not', null)
    .$if(pagesHash !== undefined, (query) => query.where('pages_sha256', '=', pagesHash as string))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes the previews that expired before a time. */
export async function deleteExpiredPreviews(db: Db, { before }: { before: Date }): Promise<void> {
  await db.deleteFrom('publish_previews').where('expires_at', '<', before.toISOString()).execute()
}

export async function markPreviewPublished(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('publish_previews')
    .set({ published_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Returns the last row of the change log. */
export async function findLastChangeId(db: Db): Promise<number> {
  const row = await db.selectFrom('content_changes').select(sql<number>`max(id)`.as('id')).executeTakeFirst()
  return Number(row?.id ?? 0)
}

function toPreview({
  changes_json,
  selected_json,
  edits_json,
  page_kinds_json,
  ...row
}: Selectable<Schema['publish_previews']>): Preview {
  return {
    ...fromRow(row),
    changes: changesColumn.decode(changes_json),
    selected: selected_json === null ? undefined : selectedColumn.decode(selected_json),
    edits: editsColumn.decode(edits_json),
    kinds: kindsColumn.decode(page_kinds_json),
  }
}
