import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { createFingerprint, type Fingerprint, shortHash } from '../../site/content/fingerprint.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { type ListedPage, type PageRange, readRange } from '../../site/pages/list-pages.ts'
import type { Page, PageAddress } from '../../site/pages/page.ts'
import { changeMark, entryMark, frameMark } from '../../site/pages/page-sources.ts'
import { sitemapPart } from '../../site/pages/site-files.ts'
import { describeOwnText } from '../changes/own-text-record.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { type PageRecord, toSeconds } from '../ledger/page-record.ts'
import { type KnownPages, openKnownPages } from '../ledger/page-store.ts'
import { createExplainer, type Explainer } from '../plan/plan-causes.ts'
import { withPage } from '../quality-summary.ts'
import { formerOf } from '../release/former-addresses.ts'
import { openMoments } from '../release/known-moments.ts'
import { pageFile } from '../release/page-file.ts'
import { isIntact, SiteWriter } from '../release/site-writer.ts'
import type { RenderPage } from './bundle.ts'
import { findLinks, renderChecked } from './render-checked.ts'
import { openShards, type RenderedPages } from './rendered-pages.ts'
import {
  emptyOutcome,
  type PageShare,
  type RangeOutcome,
  type ShareOptions,
  type StagedPage,
} from './share-work.ts'

type Stored = Pick<PageRecord, 'bytesHash' | 'size' | 'modifiedAt'> & { isSame: boolean; isWritten: boolean }

// What the others answer is long: it is read in parts, one each turn of the event loop.
const PAGES_PER_TURN = 20
const NO_ENTRY = '0000000000000000'
const NO_QUALITY_MARK = '00000000'
const NOT_RENDERED = '0000000000000000'

/** The share of one process. Its memory does not grow with the pages, but for the links that were seen. */
export class LocalShare implements PageShare {
  readonly #db: Db
  readonly #content: SiteContent
  readonly #options: ShareOptions
  readonly #loadRenderer: () => Promise<RenderPage>
  readonly #known: KnownPages
  readonly #momentOf: ReturnType<typeof openMoments>
  readonly #fingerprint: Fingerprint
  readonly #explain: Explainer
  readonly #rendered: RenderedPages
  readonly #writer: SiteWriter | undefined
  readonly #seenPictures = new Set<string>()
  readonly #seenLinks = new Set<string>()
  readonly #moment: string
  #renderPage: RenderPage | undefined
  #outcome = emptyOutcome()

  constructor(
    { db, content, ledger }: { db: Db; content: SiteContent; ledger: Ledger },
    options: ShareOptions,
    loadRenderer: () => Promise<RenderPage>,
  ) {
    this.#db = db
    this.#content = content
    this.#options = options
    this.#loadRenderer = loadRenderer
    this.#known = openKnownPages(ledger)
    this.#momentOf = openMoments(options.unknown, content.siteUrl)
    this.#fingerprint = createFingerprint(options.templateFingerprint)
    this.#rendered = openShards(options.rendered)
    this.#explain = createExplainer(content, options.changes)
    this.#writer = options.siteDir === undefined ? undefined : new SiteWriter(options.siteDir)
    this.#moment = toSeconds(content.shownAt)
  }

  async range(range: PageRange): Promise<RangeOutcome> {
    const pages = await readRange(this.#db, this.#content, range)
    this.#outcome = emptyOutcome()
    // The process that hands out the work may be this one: let it hear the others.
    await nextTurn()
    let taken = 0
    for (const listed of pages) {
      await this.#take(listed)
      taken += 1
      if (taken % PAGES_PER_TURN === 0) await nextTurn()
    }
    return this.#outcome
  }

  #isIntact({ path, size }: Pick<PageRecord, 'path' | 'size'>): boolean {
    const { previous } = this.#options
    return previous !== undefined && isIntact(previous.siteDir, { file: pageFile(path), size })
  }

  async flush(): Promise<void> {
    this.#writer?.flush()
  }

  async #take(listed: ListedPage): Promise<void> {
    const { page, entry } = listed
    const { path, key } = page
    const known = this.#known.find(path)
    const own = entry ? entryMark(this.#content, entry) : NO_ENTRY
    const about = {
      ...{ path, key, own, fingerprint: this.#fingerprint(page), quality: this.#noteQuality(page, known) },
      ...{ isListed: !page.view.head.isHidden, former: formerOf(page), picture: this.#notePicture(page) },
      ...{ part: sitemapPart(path), ...this.#noteEntry(entry) },
    }
    const isWhole = known !== undefined && this.#isIntact(known)
    if (isWhole && !this.#options.full && known.fingerprint === about.fingerprint)
      return this.#add({ record: { ...known, ...about }, state: 'unchanged' })
    const { isSame, isWritten, ...file } = await this.#renderAndStore(listed, { known, isWhole, ...about })
    const causes = known
      ? this.#explain.changed(page, entry, entry !== undefined && known.own !== own)
      : this.#explain.added(page, entry)
    const state = known === undefined ? 'added' : isSame ? 'same' : 'changed'
    this.#add({ record: { ...about, ...file }, state, isWritten, causes })
  }

  #add({
    isWritten = false,
    causes = [],
    ...page
  }: Pick<StagedPage, 'record' | 'state'> & Partial<StagedPage>) {
    this.#outcome.pages.push({ ...page, isWritten, causes })
  }

  #noteEntry(entry: Entry | undefined): Pick<PageRecord, 'entryId' | 'frame' | 'ownText'> {
    if (!entry) return { entryId: null, frame: null, ownText: null }
    const ownText = describeOwnText(entry, this.#content.ownTexts.get(entry.id))
    return { entryId: entry.id, frame: frameMark(this.#content, entry), ownText }
  }

  #notePicture({ picture }: Page): string | null {
    if (!picture) return null
    if (!this.#seenPictures.has(picture.path)) this.#outcome.pictures.push(picture)
    this.#seenPictures.add(picture.path)
    return picture.path
  }

  #noteQuality({ quality }: Page, known: PageRecord | undefined): string {
    if (!quality) return NO_QUALITY_MARK
    this.#outcome.quality = withPage(this.#outcome.quality, quality)
    const mark = changeMark(quality)
    if (this.#options.full || known?.quality !== mark) this.#outcome.qualities.push(quality)
    return mark
  }

  // A page whose bytes are what they were stays the same file, whatever led to it.
  async #renderAndStore(
    listed: ListedPage,
    {
      path,
      fingerprint,
      known,
      isWhole,
    }: PageAddress & { fingerprint: string; known: PageRecord | undefined; isWhole: boolean },
  ): Promise<Stored> {
    if (!this.#writer)
      return { bytesHash: NOT_RENDERED, size: 0, modifiedAt: this.#moment, isSame: false, isWritten: false }
    const rendered = this.#rendered.find(path, fingerprint)
    const html = rendered?.toString() ?? (await this.#render(listed))
    const bytes = rendered ?? Buffer.from(html)
    for (const target of findLinks(html, this.#seenLinks)) this.#outcome.links.push({ page: path, target })
    const bytesHash = shortHash(bytes)
    const isSame = known?.bytesHash === bytesHash
    const isWritten = !isSame || !isWhole || this.#options.full
    if (isWritten) this.#writer.write(pageFile(path), bytes)
    const modifiedAt = isSame ? known.modifiedAt : (this.#momentOf(path, bytes) ?? this.#moment)
    return { bytesHash, size: bytes.length, modifiedAt, isSame, isWritten }
  }

  async #render({ page }: ListedPage): Promise<string> {
    this.#renderPage ??= await this.#loadRenderer()
    return renderChecked(this.#renderPage, page)
  }
}
