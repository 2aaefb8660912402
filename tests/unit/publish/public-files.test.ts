import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { savePages } from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import { countDocuments } from '#src/publish/release/complete-release.ts'
import { createSiteParts } from '#src/publish/release/site-parts.ts'
import { SiteWriter } from '#src/publish/release/site-writer.ts'
import { emptyOutcome } from '#src/publish/render/share-work.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aStagedPage } from '../../support/live-release.ts'

const aFile = (file: string) => ({ file, hash: 'a', size: 4 })

/** A ledger with these pages and these files from `public`. */
function aLedger(t: TestContext, { pages, files }: { pages: string[]; files: string[] }) {
  const ledger = openLedger(ledgerFile(temporaryFolder(t)))
  t.after(() => ledger.close())
  saveFiles(ledger, { written: files.map(aFile), removed: [] })
  new Stage(ledger).add({ ...emptyOutcome(), pages: pages.map((path) => aStagedPage({ path })) })
  savePages(ledger)
  return ledger
}

test('HTML files in public are expected in a release', (t) => {
  const ledger = aLedger(t, {
    pages: ['/', '/prices'],
    files: ['proof.html', 'a/proof.html', 'brochure.pdf'],
  })
  assert.equal(countDocuments(ledger), 2)
})

test('a file in public is refused if it would replace a page', (t) => {
  for (const [file, path] of [
    ['index.html', '/'],
    ['services/ac.html', '/services/ac'],
    ['feed.xml', '/feed.xml'],
  ] as const) {
    const ledger = aLedger(t, { pages: [path], files: [file] })
    assert.throws(() => countDocuments(ledger), { code: 'fileTaken', parts: [file, path] })
  }
})

test('a page stays when a file with its address leaves public', (t) => {
  const ledger = aLedger(t, { pages: ['/prices'], files: ['prices.html', 'proof.html'] })
  const siteDir = temporaryFolder(t)
  for (const file of ['prices.html', 'proof.html']) writeFileSync(join(siteDir, file), 'text')
  const before = { ledger, release: undefined, facts: undefined }
  const parts = createSiteParts({ siteDir }, { writer: new SiteWriter(siteDir), before, isWhole: true })
  assert.deepEqual(parts.finish().removed, ['prices.html', 'proof.html'])
  assert.deepEqual(readdirSync(siteDir), ['prices.html'])
})
