import type { Db } from '../../db/schema.ts'
import type { RenderedText } from '../../lib/markdown/render-apart.ts'
import { findPictureProblem } from '../../lib/picture-address.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import { listPictureNames } from '../../pictures/picture-store.ts'

/** Returns the problems of a text and its pictures, once per address. */
export async function checkText(db: Db, text: RenderedText): Promise<AdminFault[]> {
  if (text.kind !== 'rendered') return [{ code: text.kind }]
  const addresses = new Set(text.addresses)
  if (addresses.size === 0) return []
  const names = await listPictureNames(db)
  return [...addresses].flatMap((address) => pictureProblem(address, names) ?? [])
}

function pictureProblem(address: string, names: ReadonlySet<string>): AdminFault | undefined {
  const problem = findPictureProblem(address, names)
  if (problem?.kind === 'foreign') return { code: 'picture_foreign', params: { address } }
  return problem && { code: 'picture_missing', params: { name: problem.name, near: problem.near } }
}
