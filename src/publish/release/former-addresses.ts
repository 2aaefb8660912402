import type { PageAddress } from '../../site/pages/page.ts'

/** The addresses that redirect to a page, as JSON; null if there are none. */
export function formerOf({ formerPaths = [], impliedPaths = [] }: PageAddress): string | null {
  return formerPaths.length + impliedPaths.length === 0 ? null : JSON.stringify({ formerPaths, impliedPaths })
}
