import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogPosition } from '#src/publish/changes/change-store.ts'
import { saveSources } from '#src/publish/ledger/file-store.ts'
import { beginRelease, ledgerFile, openLedger, type ReleaseFacts } from '#src/publish/ledger/ledger-store.ts'
import type { PageRecord } from '#src/publish/ledger/page-record.ts'
import { savePages } from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import { type Release, releaseAt, switchToRelease } from '#src/publish/release/release.ts'
import { emptyOutcome, type StagedPage } from '#src/publish/render/share-work.ts'
import type { PageSource } from '#src/site/sources/page-sources.ts'

export const POSITION: LogPosition = { id: 0, savedAt: '2026-11-20T10:00:00.000Z', openSince: null }

/** Makes a page's record, by default a listed page without an entry. */
export function aRecord(values: Partial<PageRecord> & { path: string }): PageRecord {
  const hashes = { fingerprint: 'f', own: 'o', bytesHash: 'b', quality: 'q' }
  const nothing = { former: null, picture: null, entryId: null, frame: null, ownText: null, reads: null }
  return {
    ...{ ...hashes, ...nothing, key: `page:${values.path}`, size: 100, part: 0 },
    ...{ modifiedAt: '2026-11-20T10:00:00Z', isListed: true },
    ...values,
  }
}

/** Makes the result of comparing a page, by default an added one. */
export function aStagedPage(
  record: Parameters<typeof aRecord>[0],
  values: Partial<StagedPage> = {},
): StagedPage {
  return { state: 'added', isWritten: true, causes: [], ...values, record: aRecord(record) }
}

interface LivePlace {
  id?: string
  facts?: Partial<ReleaseFacts>
  pages?: Parameters<typeof aRecord>[0][]
  sources?: readonly PageSource[]
}

/** Makes a release live that has these facts and pages in the ledger, but no files: quicker than a publish. */
export async function goLive(
  dataDir: string,
  { id = '20261120T100000000Z', facts = {}, pages = [], sources = [] }: LivePlace = {},
): Promise<Release> {
  const release = releaseAt(dataDir, id)
  mkdirSync(release.siteDir, { recursive: true })
  const ledger = openLedger(ledgerFile(dataDir))
  const writing = beginRelease(ledger)
  const stage = new Stage(ledger)
  stage.add({ ...emptyOutcome(), pages: pages.map((page) => aStagedPage(page)) })
  stage.findRemoved()
  savePages(ledger)
  saveSources(ledger, sources, { isWhole: true })
  const all = { position: POSITION, shownAt: POSITION.savedAt, ...facts } as ReleaseFacts
  writing.commit({ id, facts: all }, readdirSync(join(dataDir, 'releases')))
  ledger.close()
  await switchToRelease(dataDir, release)
  return release
}
