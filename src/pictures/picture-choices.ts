import type { Db } from '../db/schema.ts'
import { listLibrary } from './library-store.ts'
import { type LibraryPicture, listPicturesByName } from './picture-store.ts'

const NEWEST = 200
const EVERYTHING = { search: '', tag: '', state: 'all', alsoUsed: new Map<string, number>() } as const

/** Pictures that a page shows although nobody described them or marked them as decorative. */
export function undescribedAmong({ chosen }: PictureChoices, names: Iterable<string>): LibraryPicture[] {
  return [...names].flatMap((name) => chosen.get(name) ?? []).filter(({ alt }) => alt === null)
}

/** Picture choices for an editor. */
export interface PictureChoices {
  /** Offered first. */
  newest: readonly LibraryPicture[]
  /** The selected pictures by name, without deleted ones. */
  chosen: ReadonlyMap<string, LibraryPicture>
}

export async function loadPictureChoices(db: Db, names: readonly string[]): Promise<PictureChoices> {
  const newest = await listLibrary(db, EVERYTHING, { limit: NEWEST, offset: 0 })
  const known = new Map(newest.map((picture) => [picture.name, picture]))
  const older = await listPicturesByName(
    db,
    names.filter((name) => !known.has(name)),
  )
  return { newest, chosen: new Map([...known, ...older]) }
}
