import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { createFingerprint, type Fingerprint, shortHash } from '../../site/content/fingerprint.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { type ListedPage, type PageRange, type PassOver, readRange } from '../../site/pages/list-pages.ts'
import type { Page, PageAddress } from '../../site/pages/page.ts'
import { changeMark, entryMark } from '../../site/pages/page-sources.ts'
import { drawsPictures } from '../../site/pages/pages-of-types.ts'
import { type KnownPages, openKnownPages, openMoments } from '../plan/known-pages.ts'
import type { KnownRange } from '../plan/known-ranges.ts'
import { type KnownPage, toSeconds } from '../plan/page-index.ts'
import { formatRecord, linesOf, type PageRecord } from '../plan/page-record.ts'
import { createExplainer, type Explainer, type SourceChange } from '../plan/plan-causes.ts'
import { withKnown, withPage } from '../quality-summary.ts'
import { formerLines } from '../release/former-lines.ts'
import { pageFile } from '../release/page-file.ts'
import type { RenderPage } from './bundle.ts'
import { findLinks, renderChecked } from './render-checked.ts'
import { openShards, type RenderedPages } from './rendered-pages.ts'
import { createShareParts, type ShareParts } from './share-parts.ts'
import {
  emptyOutcome,
  type PageShare,
  type PageState,
  type RangeOutcome,
  type ShareOptions,
} from './share-work.ts'
import { createSiteWriter, type SiteWriter } from './site-writer.ts'

type Stored = Pick<PageRecord, 'bytesHash' | 'size' | 'modifiedAt'> & { isSame: boolean }

const NO_ENTRY = '0000000000000000'
const NO_QUALITY_MARK = '00000000'
const NOT_RENDERED = '0000000000000000'

/** The share of one process. Memory grows with the pages only by an index of the current release, if one is needed. */
export class LocalShare implements PageShare {
  readonly #db: Db
  readonly #content: SiteContent
  readonly #options: ShareOptions
  readonly #loadRenderer: () => Promise<RenderPage>
  readonly #known: KnownPages
  readonly #momentBefore: ReturnType<typeof openMoments>
  readonly #fingerprint: Fingerprint
  readonly #explain: Explainer
  readonly #rendered: RenderedPages
  readonly #writer: SiteWriter | undefined
  readonly #parts: ShareParts
  readonly #seenPictures = new Set<string>()
  readonly #seenLinks = new Set<number>()
  readonly #moment: string
  #renderPage: RenderPage | undefined
  #outcome = emptyOutcome()

  constructor(
    { db, content }: { db: Db; content: SiteContent },
    options: ShareOptions,
    loadRenderer: () => Promise<RenderPage>,
  ) {
    this.#db = db
    this.#content = content
    this.#options = options
    this.#loadRenderer = loadRenderer
    this.#known = openKnownPages(options.previous)
    this.#momentBefore = openMoments(options.remade)
    this.#fingerprint = createFingerprint(options.templateFingerprint)
    this.#rendered = openShards(options.rendered)
    this.#explain = createExplainer(content, options.changes)
    this.#writer = options.siteDir === undefined ? undefined : createSiteWriter(options.siteDir)
    this.#moment = toSeconds(content.shownAt)
    this.#parts = createShareParts(options.partsDir, options.number)
  }

  async range(range: PageRange): Promise<RangeOutcome> {
    this.#outcome = emptyOutcome()
    const { mark, pages } = await readRange(this.#db, this.#content, range)
    const known = this.#known.range(range)
    const records = this.#known.open(known)
    // The process that hands out the work may be this one: let it hear the others.
    await nextTurn()
    if (known && mark !== null && known.mark === mark && this.#canKeepWhole(range, records))
      return this.#keepWhole(known, records)
    for (const listed of pages(this.#mayPassOver ? this.#passOver : undefined))
      this.#outcome.counts[await this.#take(listed)]++
    return { range, mark, ...this.#outcome, ...this.#parts.slices() }
  }

  get #mayPassOver(): boolean {
    return this.#options.isContentSame && !this.#options.full
  }

  // Neither its entries nor any other content changed, and every file is there. Pages with pictures are made: they say which.
  #canKeepWhole(range: PageRange, records: readonly PageRecord[]): boolean {
    const mayHavePictures =
      this.#content.drawsPlaces || (range.kind === 'entries' && drawsPictures(range.typeSlug))
    return this.#mayPassOver && !mayHavePictures && records.every((record) => this.#known.isIntact(record))
  }

  #keepWhole(known: KnownRange, records: readonly PageRecord[]): RangeOutcome {
    for (const { path } of records) this.#parts.append('kept', `${path}\n`)
    const { count, quality, ...taken } = known
    return {
      ...this.#outcome,
      ...this.#parts.slices(),
      ...taken,
      quality: { ...quality, closest: [] },
      counts: { ...this.#outcome.counts, unchanged: count },
    }
  }

  async keep(): Promise<{ copied: number }> {
    const { previous } = this.#options
    let copied = 0
    if (!this.#writer || !previous) return { copied }
    for (const path of linesOf(this.#parts.written('kept')))
      if (this.#writer.keep(pageFile(path), previous.siteDir) === 'copied') copied++
    return { copied }
  }

  async flush(): Promise<void> {
    this.#writer?.flush()
  }

  async links(): Promise<string> {
    return this.#parts.written('links')
  }

  async close(): Promise<void> {
    this.#parts.close()
  }

  // Neither the content nor the entry changed: no view could be another.
  readonly #passOver: PassOver = (address, entry) => {
    const known = this.#known.find(address.path)
    if (known && this.#mayHavePicture(entry, known)) return false
    const own = entryMark(this.#content, entry)
    if (
      known?.own !== own ||
      !known.hasKey(address.key) ||
      !this.#known.isIntact({ path: address.path, size: known.size })
    )
      return false
    const { path, key } = address
    const { fingerprint, bytesHash, size, modifiedAt, quality, isListed } = known
    this.#noteAddresses(address, known)
    if (quality !== NO_QUALITY_MARK) this.#outcome.quality = withKnown(this.#outcome.quality, isListed)
    this.#parts.append('kept', `${path}\n`)
    this.#addRecord({ path, key, fingerprint, own, bytesHash, size, modifiedAt, quality, isListed })
    this.#outcome.counts.unchanged++
    return true
  }

  // Its page says which, so it is made.
  #mayHavePicture({ id }: Entry, { isListed }: KnownPage): boolean {
    return this.#content.services.has(id) || (this.#content.drawsPlaces && isListed)
  }

  async #take(listed: ListedPage): Promise<PageState> {
    const { page, entry } = listed
    const known = this.#known.find(page.path)
    const fingerprint = this.#fingerprint(page)
    const own = entry ? entryMark(this.#content, entry) : NO_ENTRY
    const isIntact = known !== undefined && this.#known.isIntact({ path: page.path, size: known.size })
    const quality = this.#noteQuality(page, known)
    this.#noteAddresses(page, known)
    this.#notePicture(page)
    const isListed = !page.view.head.isHidden
    const record = { path: page.path, key: page.key, fingerprint, own, quality, isListed }
    if (known && isIntact && !this.#options.full && known.hasFingerprint(fingerprint)) {
      const { bytesHash, size, modifiedAt } = known
      this.#parts.append('kept', `${page.path}\n`)
      this.#addRecord({ ...record, bytesHash, size, modifiedAt })
      return 'unchanged'
    }
    const stored = await this.#renderAndStore(listed, { fingerprint, known, isIntact })
    this.#addRecord({ ...record, ...stored })
    const state = known === undefined ? 'added' : stored.isSame ? 'same' : 'changed'
    const isEntryEdited = entry !== undefined && known?.own !== own
    this.#addCauses(
      `${state}\t${page.path}\t${page.key}`,
      known ? this.#explain.changed(page, entry, isEntryEdited) : this.#explain.added(page, entry),
    )
    return state
  }

  #noteAddresses(address: PageAddress, known: KnownPage | undefined) {
    if (known && !known.hasKey(address.key)) this.#outcome.handedOver++
    for (const line of formerLines(address)) this.#parts.append('former', line)
  }

  #notePicture({ picture }: Page) {
    if (!picture || this.#seenPictures.has(picture.path)) return
    this.#seenPictures.add(picture.path)
    this.#parts.append('pictures', `${JSON.stringify(picture)}\n`)
  }

  #noteQuality({ quality }: Page, known: KnownPage | undefined): string {
    if (!quality) return NO_QUALITY_MARK
    this.#outcome.quality = withPage(this.#outcome.quality, quality)
    const mark = changeMark(quality)
    if (this.#options.full || known?.quality !== mark)
      this.#parts.append('qualities', `${JSON.stringify(quality)}\n`)
    return mark
  }

  // A page whose bytes are what they were stays the same file, whatever led to it.
  async #renderAndStore(
    listed: ListedPage,
    {
      fingerprint,
      known,
      isIntact,
    }: { fingerprint: string; known: KnownPage | undefined; isIntact: boolean },
  ): Promise<Stored> {
    const { path } = listed.page
    if (!this.#writer) return { bytesHash: NOT_RENDERED, size: 0, modifiedAt: this.#moment, isSame: false }
    const rendered = this.#rendered.find(path, fingerprint)
    const html = rendered?.toString() ?? (await this.#render(listed))
    const bytes = rendered ?? Buffer.from(html)
    for (const link of findLinks(html, this.#seenLinks)) this.#parts.append('links', `${link}\t${path}\n`)
    const bytesHash = shortHash(bytes)
    const isSame = known?.bytesHash === bytesHash
    if (isSame && isIntact && !this.#options.full) this.#parts.append('kept', `${path}\n`)
    else this.#writer.write(pageFile(path), bytes)
    const modifiedAt = isSame ? known.modifiedAt : (this.#momentBefore(path, bytesHash) ?? this.#moment)
    return { bytesHash, size: bytes.length, modifiedAt, isSame }
  }

  async #render({ page }: ListedPage): Promise<string> {
    this.#renderPage ??= await this.#loadRenderer()
    return renderChecked(this.#renderPage, page)
  }

  #addRecord(record: PageRecord) {
    this.#parts.append('pages', formatRecord(record))
    this.#outcome.bytes += record.size
  }

  #addCauses(line: string, causes: readonly SourceChange[]) {
    this.#parts.append('changes', `${line}\t${causes.map(({ key }) => key).join('|')}\n`)
    for (const { key, cause } of causes) {
      this.#outcome.causes[key] ??= { cause, pages: 0 }
      this.#outcome.causes[key].pages++
    }
  }
}
