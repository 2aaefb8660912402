import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import type { SyncOptions } from '#src/content-files/syncing/sync-options.ts'
import { checkContent } from '#src/doctor/check-site.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { startAdmin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { wordsOf } from '../../support/pages/read-page.ts'
import { addPerson } from '../../support/people.ts'
import { said } from '../../support/said.ts'

const GOOD = 'name: Ours\n'
const UNKNOWN_FORM = 'name: Ours\ndefault_form: quotes-for-all\n'

async function aSite(t: TestContext) {
  const contentDir = temporaryFolder(t)
  const write = (text: string) => writeFileSync(join(contentDir, 'site.yaml'), text)
  const site = await startAdmin(t, { environment: { CONTENT_DIR: contentDir } })
  const { db, config, secretBox } = site.app
  const sync = (options: Partial<SyncOptions> = {}) =>
    syncContent(db, {
      ...{ contentDir, environment: {}, secretBox, now: new Date() },
      pictureFiles: openPictureFiles(contentDir),
      ...options,
    })
  write(GOOD)
  await sync({ prefer: 'file' })
  return { ...site, db, config, write, sync }
}

test('errors in content files are on the dashboard, Publish, their page, and in doctor until corrected', async (t) => {
  const site = await aSite(t)
  site.write(UNKNOWN_FORM)
  assert.equal((await site.sync()).kind, 'mistakes')
  for (const path of ['/admin', '/admin/publish']) {
    const link = (await site.open(path)).getByRole('link', { name: 'Show errors' })
    assert.match(
      wordsOf(link.closest('[role]') as Element),
      /^1 error in a content file is blocking the sync/,
      path,
    )
  }
  const shown = await site.open('/admin/conflicts')
  shown.part('region', { name: 'Errors' }).getByText('site.yaml:2')
  shown.getByText(/unknown form "quotes-for-all", expected one of/)
  assert.equal(shown.queryAllByText('No errors or conflicts').length, 0)
  const finding = await checkContent(site.config)
  assert.equal(finding.state, 'failed')
  assert.match(said(finding).says, /site\.yaml:2: unknown form "quotes-for-all".*npm run content:sync/)

  site.write(GOOD)
  await site.sync()
  for (const path of ['/admin', '/admin/publish', '/admin/conflicts'])
    assert.equal((await site.open(path)).queryAllByText(/errors? in|unknown form/).length, 0, path)
  ;(await site.open('/admin/conflicts')).getByText('No errors or conflicts')
  assert.equal((await checkContent(site.config)).state, 'ok')
})

test('errors name the server that has the file', async (t) => {
  const site = await aSite(t)
  site.write(UNKNOWN_FORM)
  await site.sync({ server: 'web-2:/data' })
  const region = (await site.open('/admin/conflicts')).part('region', { name: 'Errors on web-2:/data' })
  region.getByText('site.yaml:2')
  assert.match(
    said(await checkContent(site.config)).says,
    /stopped at web-2:\/data: site\.yaml:2: unknown form/,
  )
})

test('an editor sees which settings file is wrong, and not what it says', async (t) => {
  const site = await aSite(t)
  site.write(UNKNOWN_FORM)
  await site.sync()
  const editor = await addPerson(site, 'editor')
  const shown = await (await editor.fetch('/admin/conflicts')).text()
  assert.match(shown, /site\.yaml/)
  assert.doesNotMatch(shown, /quotes-for-all/)
})
