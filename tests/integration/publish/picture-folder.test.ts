import assert from 'node:assert/strict'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { silentProgress } from '#src/lib/progress.ts'
import { countPictures } from '#src/publish/pictures/count-pictures.ts'
import { addPictures, removeUnusedPictures } from '#src/publish/pictures/share-pictures.ts'
import { releaseAt } from '#src/publish/release/release.ts'
import { SiteWriter } from '#src/publish/release/site-writer.ts'
import { sharePicture } from '#src/site/pages/share-picture.ts'
import { temporaryFolder } from '../../support/database.ts'

const COLORS = { band: '#1c2766', on_band: '#ffffff', accent: '#ffc53d', primary: '#2f42a5' }
const aPicture = (title: string) =>
  sharePicture({ colors: COLORS, siteName: 'Bluebonnet', title, subtitle: null, footer: null })

test('a share picture is drawn once, or taken from the live release', async (t) => {
  const [dataDir, siteDir, liveDir] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)]
  const [drawn, live] = [aPicture('Drawn'), aPicture('Live')]
  const keptOf = ({ path }: { path: string }) => join(dataDir, 'share-pictures', path)
  mkdirSync(join(liveDir, 'og'))
  writeFileSync(join(liveDir, live.path), 'of another server')
  let calls = 0
  const add = (writer: SiteWriter) =>
    addPictures([drawn, live], {
      ...{ dataDir, writer, live: { id: 'a', dir: '', siteDir: liveDir } },
      onPicture: () => calls++,
    })
  await add(new SiteWriter(siteDir))
  assert.equal(calls, 2)
  assert.equal(readFileSync(join(siteDir, drawn.path)).toString('latin1', 1, 4), 'PNG')
  assert.equal(readFileSync(join(siteDir, live.path), 'utf8'), 'of another server')
  for (const one of [drawn, live])
    assert.equal(statSync(join(siteDir, one.path)).ino, statSync(keptOf(one)).ino)
  writeFileSync(keptOf(drawn), 'kept')
  const next = temporaryFolder(t)
  await add(new SiteWriter(next))
  assert.equal(readFileSync(join(next, drawn.path), 'utf8'), 'kept')
})

test('a share picture has a palette, and its ground keeps its color', async (t) => {
  const [dataDir, siteDir] = [temporaryFolder(t), temporaryFolder(t)]
  const picture = aPicture('AC repair')
  await addPictures([picture], { dataDir, writer: new SiteWriter(siteDir) })
  const png = readFileSync(join(siteDir, picture.path))
  const { width, height, isPalette } = await sharp(png).metadata()
  assert.deepEqual({ width, height, isPalette }, { width: 1200, height: 630, isPalette: true })
  const corner = await sharp(png).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
  const band = Buffer.from(COLORS.band.slice(1), 'hex')
  assert.ok(band.every((level, channel) => Math.abs(level - (corner[channel] ?? 0)) <= 3))
})

test('a share picture that no release shows is deleted', async (t) => {
  const dataDir = temporaryFolder(t)
  await removeUnusedPictures(dataDir)
  const { siteDir } = releaseAt(dataDir, '20261120T100000000Z')
  const kept = (name: string) => join(dataDir, 'share-pictures/og', name)
  const shown = (name: string) => join(siteDir, 'og', name)
  for (const file of [kept('x'), shown('x')]) mkdirSync(dirname(file), { recursive: true })
  for (const name of ['linked.png', 'copied.png', 'unused.png']) writeFileSync(kept(name), name)
  linkSync(kept('linked.png'), shown('linked.png'))
  writeFileSync(shown('copied.png'), 'copied.png')
  const left = () => ['linked.png', 'copied.png', 'unused.png'].filter((name) => existsSync(kept(name)))
  await removeUnusedPictures(dataDir)
  assert.deepEqual(left(), ['linked.png', 'copied.png'])
  rmSync(join(siteDir, 'og'), { recursive: true })
  await removeUnusedPictures(dataDir)
  assert.deepEqual(left(), [])
})

test('a step counts its pictures, unless there are none', () => {
  const seen: string[] = []
  const progress = {
    ...silentProgress,
    phase: ({ code }: { code: string }) => void seen.push(code),
    update: (done: number, total: number) => void seen.push(`${done}/${total}`),
  }
  const count = countPictures(progress, 2)
  count()
  count()
  assert.deepEqual(seen, ['pictures', '1/2', '2/2'])
  seen.length = 0
  countPictures(progress, 0)
  assert.deepEqual(seen, [])
})
