import type { Db } from '../../db/schema.ts'
import type { RenderedText } from '../../lib/markdown/render-apart.ts'
import { findPictureProblem, type PictureProblem } from '../../lib/picture-address.ts'
import { listPictureNames } from '../entry-lookup-store.ts'

/** What is wrong with a text and its pictures, as a person is told it, once for each address. */
export async function checkText(db: Db, text: RenderedText): Promise<string[]> {
  if (text.kind !== 'rendered') return [describeUnshowable(text.kind)]
  const addresses = new Set(text.addresses)
  if (addresses.size === 0) return []
  const names = await listPictureNames(db)
  return [...addresses].flatMap((address) => {
    const problem = findPictureProblem(address, names)
    return problem ? describePictureProblem(address, problem) : []
  })
}

/** Why a text has no HTML, and what to do. */
export function describeUnshowable(kind: Exclude<RenderedText['kind'], 'rendered'>): string {
  return kind === 'too_deep'
    ? 'Quotes or lists are nested too deep. Remove some levels of > or indentation.'
    : 'This text takes too long to format. Shorten it, or remove some of its emphasis and nested lists.'
}

function describePictureProblem(address: string, problem: PictureProblem): string {
  if (problem.kind === 'foreign')
    return `"${address}" is on another site. Add the picture to pictures/ and use its file name.`
  const { name, near } = problem
  if (near.length === 0) return `There is no picture "${name}" in pictures/.`
  return `There is no picture "${name}" in pictures/. Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`
}
