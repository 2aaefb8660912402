import { setImmediate as nextTurn } from 'node:timers/promises'
import { publishFailures } from '../../messages/server/publishing.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import type { ContentKey, ContentSource } from '../../site/own-pages/content-source.ts'
import { isListedPage, type OwnPage, ownPageKey } from '../../site/own-pages/own-page.ts'
import { recordReads } from '../../site/own-pages/reading.ts'
import { sitemapPart } from '../../site/pages/site-files.ts'
import type { PageSource } from '../../site/sources/page-sources.ts'
import type { PageRecord } from '../ledger/page-record.ts'
import type { KnownPages } from '../ledger/page-store.ts'
import type { Explainer } from '../plan/plan-causes.ts'
import { sourceKeyOf, sourcesOfReads } from './own-reads.ts'
import { NO_ENTRY, NO_QUALITY_MARK, type ShareOptions, type StagedPage, type Stored } from './share-work.ts'

/** Part of a bundle for the site's own pages. */
export interface OwnRenderer {
  listOwnPages(): Promise<OwnPage[]>
  renderOwnPage(page: OwnPage, siteUrl: string): Promise<string | Buffer>
}

interface OwnShare {
  source: ContentSource
  siteUrl: string
  options: Pick<ShareOptions, 'templateFingerprint' | 'templateParts' | 'full' | 'siteDir'>
  known: KnownPages
  isIntact(page: Pick<PageRecord, 'path' | 'size' | 'bytesHash'>): boolean
  store(path: string, bytes: string | Buffer, before: Before): Stored
  explain: Explainer
  add(page: StagedPage): void
}

interface Before {
  known: PageRecord | undefined
  isWhole: boolean
}

/** Compares the site's own pages and renders those that may differ. Returns what they read. */
export async function takeOwnPages(renderer: OwnRenderer, share: OwnShare): Promise<PageSource[]> {
  const { result: pages, reads: listed } = await list(renderer, share)
  const all = new Set(listed)
  for (const page of pages) {
    for (const key of await takeOwnPage(renderer, { ...share, listed }, page)) all.add(key)
    await nextTurn()
  }
  return sourcesOfReads(share.source, all)
}

// The sources that it read last time show whether it can differ.
async function takeOwnPage(
  renderer: OwnRenderer,
  share: OwnShare & { listed: readonly ContentKey[] },
  page: OwnPage,
): Promise<ContentKey[]> {
  const { options, explain } = share
  const known = share.known.find(page.path)
  const isWhole = known !== undefined && share.isIntact(known)
  const before = readsOf(known)
  const isKept = isWhole && before && !options.full
  if (isKept && known.fingerprint === (await fingerprintOf(page, share, before))) {
    share.add({ record: known, state: 'unchanged', isWritten: false, causes: [] })
    return before
  }
  const { html, reads } = options.siteDir
    ? await render(renderer, share, page)
    : { html: '', reads: before ?? [] }
  const { isSame, isWritten, ...file } = share.store(page.path, html, { known, isWhole })
  const fingerprint = await fingerprintOf(page, share, reads)
  const sources = new Set([...reads, ...(before ?? []), ...readsOfProps(page, share.listed)].map(sourceKeyOf))
  share.add({
    record: { ...recordOf(page.path, html, reads), fingerprint, ...file },
    state: known === undefined ? 'added' : isSame ? 'same' : 'changed',
    isWritten,
    causes: explain.own([...sources], known ? 'changed' : 'added'),
  })
  return reads
}

// A page of the program may have had the address.
function readsOf(known: PageRecord | undefined): ContentKey[] | undefined {
  return known?.reads && known.key === ownPageKey(known.path) ? JSON.parse(known.reads) : undefined
}

// The props that getStaticPaths returns for a page depend on what it read.
function readsOfProps({ props }: OwnPage, listed: readonly ContentKey[]): readonly ContentKey[] {
  return Object.keys(props).length > 0 ? listed : []
}

async function list(renderer: OwnRenderer, { source }: OwnShare) {
  return recordReads(source, () => renderer.listOwnPages()).catch((error: Error) => {
    throw new Error(publishFailures.pathsFailed(error.message), { cause: error })
  })
}

async function render(renderer: OwnRenderer, { source, siteUrl }: OwnShare, page: OwnPage) {
  const work = () => renderer.renderOwnPage(page, siteUrl)
  const { result: html, reads } = await recordReads(source, work).catch((error: Error) => {
    throw new Error(publishFailures.pageFailed(page.path, error.message), { cause: error })
  })
  return { html, reads }
}

// The bytes depend only on the templates, the content it reads, and the props from getStaticPaths.
async function fingerprintOf(
  { path, file, props }: OwnPage,
  { source, options }: OwnShare,
  reads: readonly ContentKey[],
): Promise<string> {
  const hashes = await Promise.all(reads.map(async (key) => `${key} ${(await source.load(key)).hash}`))
  const part = options.templateParts?.[`page:${file}`]
  return shortHash(JSON.stringify([options.templateFingerprint, part, path, file, props, hashes]))
}

function recordOf(path: string, html: string | Buffer, reads: readonly ContentKey[]) {
  return {
    ...{ path, key: ownPageKey(path), part: sitemapPart(path), own: NO_ENTRY, quality: NO_QUALITY_MARK },
    ...{ former: null, picture: null, entryId: null, frame: null, ownText: null },
    ...{ reads: JSON.stringify(reads), isListed: isListedPage(path, html.toString()) },
  }
}
