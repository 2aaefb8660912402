import type { Db } from '../../db/schema.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { explainSameAddress } from '../../site/pages/list-pages.ts'

/** Two pages have the same address. */
export class SameAddress extends Error {
  readonly path: string

  constructor(path: string) {
    super(publishFailures.sameAddress(path))
    this.path = path
  }
}

/** Runs work on a site's pages. If two have the same address, the error names both. */
export async function namingSameAddress<T>(
  { db, content }: { db: Db; content: SiteContent },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SameAddress)) throw error
    const sentence = await explainSameAddress(db, content, error.path)
    throw new Error(sentence ?? ownPageFailures.addressTaken(error.path), { cause: error })
  }
}
