import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { exportContent } from '#src/content-files/export-content.ts'
import { formatMistake } from '#src/content-files/parsing/mistake.ts'
import { temporaryFolder } from '../../support/database.ts'
import { getEntryOf, openWorkspace, secretBox } from './workspace.ts'

const TYPE = `name: Projects
is_routable: true
route_pattern: /projects/{slug}
schema:
  fields:
    - { key: cover, label: Cover, type: picture }
    - { key: photos, label: Photos, type: pictures }
    - key: rooms
      label: Rooms
      type: list
      fields: [{ key: photo, label: Photo, type: picture }]
`

async function aWorkspace(t: Parameters<typeof openWorkspace>[0], frontMatter: string) {
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': TYPE,
    'projects/loft.md': `---\ntitle: Loft\n${frontMatter}---\n\nText\n`,
  })
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: '#2f42a5' } })
  mkdirSync(join(workspace.contentDir, 'pictures'))
  for (const name of ['loft.jpg', 'stairs.jpg'])
    writeFileSync(join(workspace.contentDir, 'pictures', name), await image.jpeg().toBuffer())
  return workspace
}

test('picture fields of any type sync from a file and export unchanged', async (t) => {
  const workspace = await aWorkspace(
    t,
    'cover: loft.jpg\nphotos: [stairs.jpg, loft.jpg]\nrooms:\n  - photo: stairs.jpg\n',
  )
  await workspace.synced()
  const { data } = await getEntryOf(workspace, 'projects', 'loft')
  assert.deepEqual(data, {
    cover: 'loft.jpg',
    photos: ['stairs.jpg', 'loft.jpg'],
    rooms: [{ photo: 'stairs.jpg' }],
  })
  const out = join(temporaryFolder(t), 'out')
  const { db, pictureFiles } = workspace
  await exportContent(db, { out, environment: {}, secretBox, pictureFiles })
  const again = await workspace.synced({ contentDir: out, dryRun: true })
  assert.deepEqual([again.added, again.changed, again.removed].flat(), [])
})

test('a file with an unknown picture stops the sync at its line', async (t) => {
  const workspace = await aWorkspace(
    t,
    'cover: gone.jpg\nphotos:\n  - loft.jpg\n  - lost.jpg\nrooms:\n  - photo: away.jpg\n',
  )
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes')
  const mistakes =
    result.kind === 'mistakes' ? result.mistakes.map((mistake) => formatMistake(mistake, '')) : []
  for (const [line, name] of [
    [3, 'gone.jpg'],
    [6, 'lost.jpg'],
    [8, 'away.jpg'],
  ])
    assert.ok(
      mistakes.some((text) => text.startsWith(`projects/loft.md:${line}:`) && text.includes(String(name))),
      mistakes.join('\n'),
    )
})
