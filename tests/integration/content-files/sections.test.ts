import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { getEntryOf, openWorkspace, secretBox } from './workspace.ts'

const SITE = 'name: Bluebonnet\nsections:\n  home: [faq, service_list]\n'
const SERVICE = '---\ntitle: AC repair\nsections: [faq, steps]\nposition: 20\n---\n\nCold air.\n'

test('sections and positions are read from files and written back', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE, 'services/ac-repair.md': SERVICE })
  await workspace.synced()
  assert.deepEqual((await findSiteSettings(workspace.db)).sections, { home: ['faq', 'service_list'] })
  const { data } = await getEntryOf(workspace, 'services', 'ac-repair')
  assert.deepEqual([data.sections, data.position], [['faq', 'steps'], 20])
  const out = join(temporaryFolder(t), 'export')
  await exportContent(workspace.db, { out, environment: {}, secretBox, pictureFiles: openPictureFiles(out) })
  const again = await openWorkspace(t)
  await again.synced({ contentDir: out })
  assert.deepEqual((await findSiteSettings(again.db)).sections, { home: ['faq', 'service_list'] })
  assert.deepEqual((await getEntryOf(again, 'services', 'ac-repair')).data, data)
  assert.match(readFileSync(join(out, 'services/ac-repair.md'), 'utf8'), /position: 20/)
})

for (const [what, files, mistake] of [
  ['an unknown section', { 'site.yaml': SITE.replace('faq', 'map') }, /"line":3/],
  ['a section twice', { 'site.yaml': SITE.replace('service_list]', 'faq]') }, /named_once/],
  [
    'a section of another page',
    { 'services/ac-repair.md': SERVICE.replace('steps]', 'nearby]') },
    /"slug":"nearby"/,
  ],
] as const)
  test(`refused: ${what}`, async (t) => {
    const workspace = await openWorkspace(t, {
      'site.yaml': SITE,
      'services/ac-repair.md': SERVICE,
      ...files,
    })
    const result = await workspace.sync()
    assert.equal(result.kind, 'mistakes')
    assert.match(JSON.stringify(result), mistake)
  })
