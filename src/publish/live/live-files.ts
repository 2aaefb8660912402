import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationNames } from '../../db/migrate.ts'
import type { Release } from '../release/release.ts'

/** The line after the rows of a release. */
export const END = 'end'

/** Sources of a release besides the rows: the line before them. */
export interface LiveHeader {
  /** The id of the release. */
  release: string
  /** The name of its bundle's folder in `dist`. */
  bundle: string
  /** The time whose content it shows; UTC text. */
  shownAt: string
}

type Named = Pick<Release, 'id'>

/** Returns the folder of everything below. */
export function liveFolder(dataDir: string): string {
  return join(dataDir, 'live-content')
}

/** Returns the path of the file with a release's rows. */
export function liveFile(dataDir: string, { id }: Named): string {
  return join(liveFolder(dataDir), `${id}.jsonl`)
}

/** Returns the path of the database with the same rows, for the tables of this program. */
export async function liveCopy(dataDir: string, { id }: Named): Promise<string> {
  return join(liveFolder(dataDir), `${id}.${(await migrationNames()).at(-1)}.db`)
}

/** Gives the next release the database of the last one, if there is one. The rows since are added when it is opened. */
export async function passCopyOn(dataDir: string, { from, to }: Record<'from' | 'to', Named>): Promise<void> {
  await rename(await liveCopy(dataDir, from), await liveCopy(dataDir, to)).catch(unlessMissing)
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}
