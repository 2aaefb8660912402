import type { Db } from '../db/schema.ts'
import { listPictureAddresses } from '../lib/markdown.ts'
import { findPictureProblem, type PictureProblem } from '../lib/picture-address.ts'
import { listPictureNames } from './entry-lookup-store.ts'

/** What is wrong with the pictures of a text, as a person is told it, once for each address. */
export async function checkTextPictures(db: Db, markdown: string): Promise<string[]> {
  const addresses = new Set(listPictureAddresses(markdown))
  if (addresses.size === 0) return []
  const names = await listPictureNames(db)
  return [...addresses].flatMap((address) => {
    const problem = findPictureProblem(address, names)
    return problem ? describePictureProblem(address, problem) : []
  })
}

function describePictureProblem(address: string, problem: PictureProblem): string {
  if (problem.kind === 'foreign')
    return `"${address}" is on another site. Add the picture to pictures/ and use its file name.`
  const { name, near } = problem
  if (near.length === 0) return `There is no picture "${name}" in pictures/.`
  return `There is no picture "${name}" in pictures/. Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`
}
