import { z } from 'zod'
import { agoAsText, engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import type { FileFault } from '../messages/files/mistakes.ts'
import type { Mistake } from './parsing/mistake.ts'

const ROWS_PER_STATEMENT = 100
/** As long as a server that stopped remains in the list of servers. */
const KEPT_SECONDS = 3_600

/** An error in a content file that stopped the last sync. */
export interface FileError extends Mistake {
  /** Names the server that has the file; empty if only one server's files count. */
  server: string
  /** UTC text of the sync. */
  foundAt: string
}

const paramsColumn = z.codec(z.string(), z.custom<FileFault['params']>(), {
  decode: (text) => JSON.parse(text) ?? undefined,
  encode: (params) => JSON.stringify(params ?? null),
})

/**
 * Replaces the errors of a server's content files by those of its last sync. Without `server`, this server's files
 * count for the whole site, and errors of all others are removed.
 */
export async function replaceFileErrors(
  db: Db,
  mistakes: readonly Mistake[],
  { server }: { server: string | undefined },
): Promise<void> {
  const removal = db.deleteFrom('content_errors')
  await (server === undefined ? removal : removal.where('server', '=', server)).execute()
  const rows = mistakes.map(({ path, line, fault: { code, params } }, position) => ({
    ...{ server: server ?? '', position, path, line, code },
    params_json: paramsColumn.encode(params),
  }))
  // Two syncs at once of one server find the same.
  for (const chunk of chunksOf(rows, ROWS_PER_STATEMENT))
    await db
      .insertInto('content_errors')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Lists the errors by server, in the order in which a person corrects them. */
export async function listFileErrors(db: Db, { limit }: { limit: number }): Promise<FileError[]> {
  const rows = await selectFileErrors(db)
    .selectAll()
    .orderBy('server')
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ server, path, line, code, params_json, found_at }) => ({
    ...{ server, path, line, foundAt: found_at },
    fault: { code, params: paramsColumn.decode(params_json) } as FileFault,
  }))
}

/** Counts the errors. */
export async function countFileErrors(db: Db): Promise<number> {
  const row = await selectFileErrors(db)
    .select((errors) => errors.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Selects the errors, except in files of servers that are gone, which nobody corrects. */
export function selectFileErrors(db: Db) {
  const running = db.selectFrom('servers').select('machine')
  const since = agoAsText(engineOf(db), KEPT_SECONDS)
  return db
    .selectFrom('content_errors')
    .where(({ eb, or }) =>
      or([eb('server', '=', ''), eb('server', 'in', running), eb('found_at', '>', since)]),
    )
}
