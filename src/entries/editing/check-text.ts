import type { Db } from '../../db/schema.ts'
import type { RenderedText } from '../../lib/markdown/render-apart.ts'
import { findPictureProblem } from '../../lib/picture-address.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import { listPictureNames } from '../../pictures/picture-store.ts'

/** Returns the problems of a text, its links, and its pictures, once per address. */
export async function checkText(db: Db, text: RenderedText): Promise<AdminFault[]> {
  if (text.kind !== 'rendered') return [{ code: text.kind }]
  const links = listRelativeLinks(text.html).map((address) => ({
    code: 'link_relative' as const,
    params: { address },
  }))
  const addresses = new Set(text.addresses)
  if (addresses.size === 0) return links
  const names = await listPictureNames(db)
  return [...links, ...[...addresses].flatMap((address) => pictureProblem(address, names) ?? [])]
}

// A text is shown at several addresses, where a relative link leads to different pages, such as the word `url` that
// stands for an address in a new link.
function listRelativeLinks(html: string): string[] {
  const targets = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, target = '']) => target)
  const relative = targets.filter((target) => !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(target))
  return [...new Set(relative)].map((target) => target.replaceAll('&amp;', '&'))
}

function pictureProblem(address: string, names: ReadonlySet<string>): AdminFault | undefined {
  const problem = findPictureProblem(address, names)
  if (problem?.kind === 'foreign') return { code: 'picture_foreign', params: { address } }
  return problem && { code: 'picture_missing', params: { name: problem.name, near: problem.near } }
}
