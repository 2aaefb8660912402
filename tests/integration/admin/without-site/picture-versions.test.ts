import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findNamedPicture, findVersionedPicture } from '#src/admin/pictures/versioned-picture.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import { toPictureSnapshot } from '#src/pictures/picture-history.ts'
import { findPictureById, savePicture } from '#src/pictures/picture-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { goLive } from '../../../support/live-release.ts'
import { aPicture } from '../../../support/pictures.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

async function aVersionedPicture(t: TestContext) {
  const desk = await anAdminPage(t)
  const { id } = await savePicture(desk.db, aPicture({ name: 'van.jpg' }), { now: NOW.toISOString() })
  const context = (given: string | number = id, role: 'owner' | 'editor' = 'owner') =>
    desk.open('/admin', { params: { id: String(given) }, role })
  const find = async (...asked: Parameters<typeof context>): Promise<Versioned> => {
    const found = await findVersionedPicture(context(...asked))
    assert.ok(found)
    return found
  }
  return { ...desk, id, context, find }
}

test('the versions of a picture are found by its ID or its name', async (t) => {
  const { id, context, find } = await aVersionedPicture(t)
  const versioned = await find()
  const self = `/admin/pictures/${id}`
  assert.partialDeepStrictEqual(versioned, { name: 'van.jpg', self, subject: { kind: 'picture', id } })
  assert.deepEqual(versioned.trail, [{ href: self, label: 'van.jpg' }])
  assert.partialDeepStrictEqual(versioned.now, { width: 1_200, alt: null })
  assert.partialDeepStrictEqual(versioned.record, { action: 'picture.replaced', id })
  assert.match(versioned.record.summary, /van\.jpg/)
  assert.equal((await findNamedPicture(context('van.jpg')))?.self, self)
  assert.equal(await findNamedPicture(context('crew.jpg')), undefined)
  assert.equal(await findVersionedPicture(context('99999')), undefined)
  assert.equal(await findVersionedPicture(context('van.jpg')), undefined)
})

test('changes of a picture are described in words', async (t) => {
  const { find } = await aVersionedPicture(t)
  const { describe, listLabels } = await find()
  const before = toPictureSnapshot(aPicture({ name: 'a' }))
  const changeTo = async (more: object, from: object = {}) =>
    (await describe({ ...before, ...from }, { ...before, ...more })).map((one) => [one.before, one.after])
  assert.deepEqual(await changeTo({}), [])
  assert.deepEqual(await changeTo({ alt: 'Our van' }), [['', 'Our van']])
  const [decorative] = await changeTo({ alt: '' })
  assert.equal(decorative?.[0], '')
  assert.match(decorative?.[1] ?? '', /[Dd]ecorative/)
  assert.deepEqual(await changeTo({ tags: ['van', 'team'] }, { tags: ['van'] }), [['van', 'van, team']])
  const [[, point] = []] = await changeTo({ focalPoint: [0.25, 0.1234] })
  assert.match(point ?? '', /\b25%.*\b12\.3%/)
  assert.deepEqual(
    (await changeTo({ focalPoint: null }, { focalPoint: [0, 1] })).map((one) => one[1]),
    [''],
  )
  const [[, crop] = []] = await changeTo({ crop: { x: 0.1, y: 0.2, width: 0.5, height: 0.25 } })
  for (const part of ['10%', '20%', '50%', '25%']) assert.ok(crop?.includes(part), part)
  const [file] = await changeTo({ sha256: 'f'.repeat(64), width: 600, height: 400, size: 2_340_000 })
  assert.match(file?.[0] ?? '', /1,?200.*800.*100 KB/)
  assert.match(file?.[1] ?? '', /600.*400.*2\.3 MB/)
  // Two files of the same size.
  assert.equal((await changeTo({ sha256: 'f'.repeat(64) })).length, 1)
  assert.equal(listLabels(before, { ...before, alt: 'x', tags: ['y'] }).length, 2)
  const first = await describe(undefined, { ...before, alt: 'Our van' })
  assert.deepEqual(
    first.map((one) => one.before),
    ['', ''],
  )
})

test('a picture is restored with its details, and says who did it', async (t) => {
  const { db, id, find, dataDir } = await aVersionedPicture(t)
  const [first] = await listVersionContents(db, { kind: 'picture', id }, { limit: 1 })
  assert.ok(first)
  await savePicture(db, { ...aPicture({ name: 'van.jpg' }), alt: 'Our van' }, { now: NOW.toISOString() })
  const { restore, findShown, self } = await find()
  assert.equal(await findShown(), 'none')
  await goLive(dataDir)
  assert.deepEqual(await findShown(), { until: '2026-11-20T10:00:00.000Z' })
  assert.deepEqual(await restore(first.version, undefined), { kind: 'saved', value: { to: self } })
  assert.equal((await findPictureById(db, id))?.alt, null)
  const [newest] = await listVersionContents(db, { kind: 'picture', id }, { limit: 1 })
  assert.partialDeepStrictEqual(newest?.version, { source: 'restored', savedBy: 'ann@example.com' })
  assert.equal((await restore({ ...first.version, id: 99_999 }, undefined)).kind, 'not_found')
})

test('the picture of the settings is restored only by users who may change them', async (t) => {
  const { db, find, toldBy } = await aVersionedPicture(t)
  await changeSiteSettings(db, { changes: { logo: 'van.jpg' } }, { now: NOW })
  const refusalFor = async (role: 'owner' | 'editor') =>
    toldBy(await (await find(undefined, role)).refuseRestore?.()).status
  assert.deepEqual([await refusalFor('editor'), await refusalFor('owner')], [303, 0])
})
