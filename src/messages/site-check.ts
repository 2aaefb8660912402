import { countOf } from './plural.ts'

const PAGES = { one: 'page', other: 'pages' }

/** Findings of a nightly check of the site. */
interface Found {
  /** UTC text. */
  at: string
  damaged: number
  outdated: number
  hasDamagedFiles: boolean
}

/** Says what a nightly check repaired. */
export function siteRepaired({ at, damaged, outdated, hasDamagedFiles }: Found): string {
  const parts = [
    ...(damaged > 0 ? [`${countOf(damaged, PAGES)} with damaged files`] : []),
    ...(outdated > 0 ? [`${countOf(outdated, PAGES)} that didn’t match the saved content`] : []),
    ...(hasDamagedFiles ? [`${damaged > 0 ? 'other ' : ''}damaged files, such as sitemaps`] : []),
  ]
  return `The check on ${at.slice(0, 10)} found and repaired ${parts.join(' and ')}. ${damaged > 0 || hasDamagedFiles ? 'Check the server’s disk' : 'Report this to the Signpost maintainers'}.`
}
