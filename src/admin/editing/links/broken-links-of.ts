import type { AstroGlobal } from 'astro'
import {
  type BrokenTextLink,
  findBrokenLinks,
  type LabeledText,
} from '#src/publish/addresses/find-broken-links.ts'
import { appOf } from '../../kit/page-context.ts'

/** Finds the links in these texts to addresses of this site where the next publish has no page. */
export function brokenLinksOf(
  astro: Pick<AstroGlobal, 'locals'>,
  texts: readonly LabeledText[],
): Promise<BrokenTextLink[]> {
  const { db, config } = appOf(astro)
  const { dataDir, siteUrl } = config
  return findBrokenLinks(db, texts, { dataDir, siteUrl, now: new Date() })
}
