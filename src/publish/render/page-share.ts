import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { createFingerprint, type Fingerprint, shortHash } from '../../site/content/fingerprint.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { type ListedPage, readRange } from '../../site/pages/list-pages.ts'
import type { Page } from '../../site/pages/page.ts'
import { sitemapPart } from '../../site/pages/site-files.ts'
import { changeMark, entryMark, frameMark } from '../../site/sources/entry-marks.ts'
import { describeOwnText } from '../changes/own-text-record.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { formerOf, type PageRecord, toSeconds } from '../ledger/page-record.ts'
import { type KnownPages, openKnownPages } from '../ledger/page-store.ts'
import { createExplainer, type Explainer } from '../plan/plan-causes.ts'
import { withPage } from '../quality-summary.ts'
import { openMoments } from '../release/known-moments.ts'
import { pageFile } from '../release/page-file.ts'
import { isIntact, SiteWriter } from '../release/site-writer.ts'
import type { RenderPage, Templates } from './bundle.ts'
import { contentForOwnPages } from './own-reads.ts'
import { takeOwnPages } from './own-share.ts'
import { findLinks, renderChecked } from './render-checked.ts'
import { openShards, type RenderedPages } from './rendered-pages.ts'
import {
  emptyOutcome,
  NO_ENTRY,
  NO_QUALITY_MARK,
  type PageShare,
  type RangeOutcome,
  type ShareOptions,
  type StagedPage,
  type Stored,
  type WorkRange,
} from './share-work.ts'
import { createShownComponents, type ShownComponents } from './shown-components.ts'

// Other processes' results are long, so they are read in parts, one per turn of the event loop.
const PAGES_PER_TURN = 20
const NOT_RENDERED = '0000000000000000'

/** The work of one process. Its memory doesn't grow with the number of pages, except for the links seen. */
export class LocalShare implements PageShare {
  readonly #db: Db
  readonly #content: SiteContent
  readonly #options: ShareOptions
  readonly #loadTemplates: () => Promise<Templates>
  readonly #known: KnownPages
  readonly #momentOf: ReturnType<typeof openMoments>
  readonly #fingerprint: Fingerprint
  readonly #shown: ShownComponents
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
    loadTemplates: () => Promise<Templates>,
  ) {
    this.#db = db
    this.#content = content
    this.#options = options
    this.#loadTemplates = loadTemplates
    this.#known = openKnownPages(ledger)
    this.#momentOf = openMoments(options.unknown, content.siteUrl)
    this.#fingerprint = createFingerprint(options.templateFingerprint, options.templateParts)
    this.#shown = createShownComponents(options.templateParts)
    this.#rendered = openShards(options.rendered)
    this.#explain = createExplainer(content, options.changes)
    this.#writer = options.siteDir === undefined ? undefined : new SiteWriter(options.siteDir)
    this.#moment = toSeconds(content.shownAt)
  }

  async range(range: WorkRange): Promise<RangeOutcome> {
    if (range.kind === 'own') return this.#takeOwnPages()
    const pages = await readRange(this.#db, this.#content, range)
    this.#outcome = emptyOutcome()
    // This may be the process that hands out the work, so it yields to let it hear the others.
    await nextTurn()
    let taken = 0
    for (const listed of pages) {
      await this.#take(listed)
      taken += 1
      if (taken % PAGES_PER_TURN === 0) await nextTurn()
    }
    return this.#outcome
  }

  #isIntact({ path, size, bytesHash }: Pick<PageRecord, 'path' | 'size' | 'bytesHash'>): boolean {
    const { previous, readsFiles } = this.#options
    const hash = readsFiles ? bytesHash : ''
    return previous !== undefined && isIntact(previous.siteDir, { file: pageFile(path), size, hash })
  }

  async finish(): Promise<void> {
    if (!this.#writer?.isLarge) this.#writer?.flush()
  }

  async #take(listed: ListedPage): Promise<void> {
    const { page, entry } = listed
    const { path, key } = page
    const known = this.#known.find(path)
    const own = entry ? entryMark(this.#content, entry) : NO_ENTRY
    const about = {
      ...{ path, key, own, quality: this.#noteQuality(page, known) },
      ...{ isListed: !page.view.head.isHidden, former: formerOf(page), picture: this.#notePicture(page) },
      ...{ part: sitemapPart(path), ...this.#noteEntry(entry) },
    }
    const isWhole = known !== undefined && this.#isIntact(known)
    const view = this.#fingerprint(page)
    const fingerprintOf = ({ reads }: Pick<PageRecord, 'reads'>) => this.#shown.fingerprint(view, reads)
    if (isWhole && !this.#options.full && known.fingerprint === fingerprintOf(known))
      return this.#add({ record: { ...known, ...about }, state: 'unchanged' })
    const rendered = await this.#render(listed, fingerprintOf)
    const { isSame, isWritten, ...file } = this.#store(path, rendered.html, { known, isWhole })
    const causes = this.#options.onlyPages ? [] : this.#causesOf(listed, known, own)
    const state = known === undefined ? 'added' : isSame ? 'same' : 'changed'
    const { reads } = rendered
    const record = { ...about, ...file, reads, fingerprint: fingerprintOf(rendered) ?? view }
    this.#add({ record, state, isWritten, causes })
  }

  #causesOf({ page, entry }: ListedPage, known: PageRecord | undefined, own: string) {
    if (!known) return this.#explain.added(page, entry)
    return this.#explain.changed(page, entry, entry !== undefined && known.own !== own)
  }

  async #takeOwnPages(): Promise<RangeOutcome> {
    this.#outcome = emptyOutcome()
    this.#outcome.reads = await takeOwnPages(await this.#loadTemplates(), {
      source: contentForOwnPages(this.#db, this.#content),
      siteUrl: this.#content.siteUrl,
      options: this.#options,
      known: this.#known,
      isIntact: (page) => this.#isIntact(page),
      store: (path, bytes, before) => this.#store(path, bytes, before),
      explain: this.#explain,
      add: (page) => this.#add(page),
    })
    return this.#outcome
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

  #storeNothing(): Stored {
    return { bytesHash: NOT_RENDERED, size: 0, modifiedAt: this.#moment, isSame: false, isWritten: false }
  }

  // A page with the same bytes keeps its file, whatever triggered the rendering.
  #store(
    path: string,
    content: string | Buffer,
    { known, isWhole }: { known: PageRecord | undefined; isWhole: boolean },
  ): Stored {
    if (!this.#writer) return this.#storeNothing()
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (!this.#options.onlyPages)
      for (const target of findLinks(content.toString(), this.#seenLinks))
        this.#outcome.links.push({ page: path, target })
    const bytesHash = shortHash(bytes)
    const isSame = known?.bytesHash === bytesHash
    const isWritten = !isSame || !isWhole || this.#options.full
    if (isWritten) this.#writer.write(pageFile(path), bytes)
    const modifiedAt = isSame ? known.modifiedAt : (this.#momentOf(path, bytes) ?? this.#moment)
    return { bytesHash, size: bytes.length, modifiedAt, isSame, isWritten }
  }

  async #render(
    { page }: ListedPage,
    fingerprintOf: (page: PageRecord) => string | undefined,
  ): Promise<{ html: string | Buffer; reads: string | null }> {
    if (!this.#writer) return { html: '', reads: null }
    const rendered = this.#rendered.find(page.path, fingerprintOf)
    if (rendered) return rendered
    this.#renderPage ??= (await this.#loadTemplates()).renderPage
    const shown = new Set<string>()
    const html = await renderChecked(this.#renderPage, page, shown)
    return { html, reads: this.#shown.record(shown) }
  }
}
