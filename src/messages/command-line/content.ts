import { countOf } from '../plural.ts'

const FILES = { one: 'file', other: 'files' }
const PAGES = { one: 'page', other: 'pages' }
const ADDRESSES = { one: 'address', other: 'addresses' }

interface Changes {
  added: number
  changed: number
  removed: number
}

/** Output of `content:sync` and `content:export`. */
export const contentTexts = {
  syncing: 'Syncing content',
  exporting: 'Exporting content',
  exported: (files: number, folder: string) => `Exported ${countOf(files, FILES)} to ${folder}`,
  mistakes: (count: number) =>
    `Nothing was synced. Correct ${countOf(count, { one: 'error', other: 'errors' })} and sync again`,
  warning: (place: string) => `Check ${place}`,
  condition: (problem: string) => `Warning: ${problem}`,
  synced: (summary: string) => `Synced: ${summary}`,
  wouldSync: (summary: string) => `Would sync: ${summary}`,
  summary: ({ added, changed, removed }: Changes, kept: number, pages: Omit<Changes, 'changed'>) =>
    `${added} added, ${changed} changed, ${removed} removed, ${kept} kept; local pages ${pages.added} added, ${pages.removed} removed`,
  conflicts: (conflicts: number, dependent: number) =>
    `Everything was synced except ${countOf(conflicts, { one: 'conflict', other: 'conflicts' })}${dependent > 0 ? ` and ${countOf(dependent, { one: 'file that depends', other: 'files that depend' })} on ${conflicts === 1 ? 'it' : 'them'}` : ''}. Resolve ${conflicts === 1 ? 'it' : 'them'} in the admin at /admin/conflicts, or with --prefer file or --prefer database`,
}

/** Output of `build` and `rollback`. */
export const publishTexts = {
  rendering: 'Rendering pages',
  shardReady: (pages: number, folder: string) =>
    `Wrote ${countOf(pages, PAGES)} to ${folder}. To publish, pass each part’s folder with --join`,
  heldBack: 'The site was rolled back and stays as it is. Run npm run build to publish again',
  brokenLink: (page: string, target: string) =>
    `${page} links to ${target}, which does not exist. Correct the link or add the page`,
  copied: (pages: number) =>
    `This disk does not support hard links. Copied ${countOf(pages, { one: 'unchanged page', other: 'unchanged pages' })}`,
  published: (summary: string, seconds: string) => `Published: ${summary} (${seconds} s)`,
  nothingToPublish: (summary: string, seconds: string) => `Nothing to publish: ${summary} (${seconds} s)`,
  wouldPublish: (summary: string) => `Would publish: ${summary}`,
  pages: ({ added, changed, removed }: Changes, unchanged: number) =>
    `${countOf(added, PAGES)} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
  exported: (folder: string, { added, changed, removed }: Changes) =>
    `Wrote the site to ${folder}: ${countOf(added, ADDRESSES)} added, ${changed} changed, ${removed} removed (see changes.json)`,
  moreReasons: (count: number) => `… and ${countOf(count, { one: 'more reason', other: 'more reasons' })}`,
  quality: (unlisted: number, pages: number) =>
    `Quality: ${unlisted} of ${pages} local pages have too little text of their own, so Signpost asks search engines not to list them`,
  qualityLists:
    'To see these pages, open /admin/coverage/quality. To see those closest to the threshold, run npm run build -- --dry-run',
  closest: 'Closest to the threshold (quality_threshold in site.yaml):',
  advice: (advice: string, points: number) => `${advice} (up to +${points})`,
  noReleases: 'There is no release yet. Run npm run build to create the first release',
  currentRelease: (release: string) => `${release} (current)`,
  rolledBack: (from: string, to: string) =>
    `Rolled back from ${from} to ${to}. The site stays at this release until you publish again: npm run build`,
  alreadyCurrent: (release: string) => `${release} is already the current release`,
  busy: 'A publish is in progress. Roll back when the publish is done',
  noEarlierRelease: 'There is no earlier release to roll back to',
  releaseUnknown: (release: string) =>
    `There is no release ${release}. Run npm run rollback -- --list to list the releases`,
}
