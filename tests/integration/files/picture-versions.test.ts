import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { up as takeOverReplaced } from '#migrations/0375_picture_versions.ts'
import type { Schema } from '#src/db/schema.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { changePicture, type PictureChange, restoreVersion } from '#src/pictures/change-picture.ts'
import type { Picture } from '#src/pictures/picture.ts'
import { type PictureSnapshot, pictureSubject, toPictureSnapshot } from '#src/pictures/picture-history.ts'
import { findPictureById, listHashes, savePicture } from '#src/pictures/picture-store.ts'
import { restoreTrashedPicture, trashPicture } from '#src/pictures/trash-picture.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import type { Saving } from '#src/versions/version.ts'
import { deleteVersions, listVersionContents } from '#src/versions/version-store.ts'
import { openTestDatabase, sqliteEngine } from '#tests/support/database.ts'
import { aPicture } from '#tests/support/pictures.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'
import { soakLength } from '#tests/support/soak.ts'

const ANN = { source: 'admin', email: 'ann@example.com' } as const
const NOW = '2026-11-20T10:00:00.000Z'
const DAY_MS = 24 * 60 * 60 * 1_000

const part = fc.integer({ min: 0, max: 1_000 }).map((thousandth) => thousandth / 1_000)
const details = fc.record({
  alt: fc.constantFrom(null, '', 'Our van', '“Á” <b>\n😀'),
  focalPoint: fc.option(fc.tuple(part, part)),
  crop: fc.option(
    fc.record({ x: part, y: part }).map(({ x, y }) => ({ x: x / 2, y: y / 2, width: 0.5, height: 0.25 })),
  ),
  tags: fc.uniqueArray(fc.constantFrom('vans', 'roof', 'équipe'), { maxLength: 3 }),
})
const edit = fc.record({ details, file: fc.option(fc.nat(6), { freq: 3 }), subject: fc.nat(1) })

async function change(
  db: Kysely<Schema>,
  id: number,
  { details, file }: { details: PictureChange; file: number | null },
  saving: Saving,
) {
  if (file === null) {
    const outcome = await changePicture(db, { id, change: details }, saving)
    assert.equal(outcome.kind, 'saved')
    return
  }
  const picture = await findPictureById(db, id)
  assert.ok(picture)
  const bytes = { sha256: hash('sha256', `${file}`), width: 100 + file, height: 100, size: 1_000 + file }
  await savePicture(db, { ...picture, ...bytes, crop: null, focalPoint: null }, saving)
}

test('every save of a picture is a version, and each is restored exactly', async (t) => {
  const db = await openTestDatabase(t)
  let seconds = 0
  const saving = () => ({ now: new Date(Date.parse(NOW) + 1_000 * seconds++).toISOString(), by: ANN })
  const ids: number[] = []
  const saved = new Map<number, PictureSnapshot[]>()
  const stateOf = async (id: number) => {
    const picture = await findPictureById(db, id)
    assert.ok(picture)
    return toPictureSnapshot(picture)
  }
  const note = async (id: number) => {
    const known = saved.get(id) ?? []
    const state = await stateOf(id)
    if (JSON.stringify(known.at(-1)) !== JSON.stringify(state)) known.push(state)
    saved.set(id, known)
  }
  for (const name of ['van.jpg', 'roof.jpg']) {
    ids.push((await savePicture(db, aPicture({ name }), saving())).id)
    await note(ids.at(-1) ?? 0)
  }
  const numRuns = soakLength(80, 1_000)
  for (const { details, file, subject } of fc.sample(edit, { numRuns, seed: 20 })) {
    const id = ids[subject] ?? 0
    await change(db, id, { details, file }, saving())
    await note(id)
  }

  for (const id of ids) {
    const versions = await listVersionContents(db, pictureSubject(id), { limit: numRuns + 9 })
    const known = saved.get(id) ?? []
    assert.deepEqual(versions.map(({ content }) => content).reverse(), known)
    for (const { version } of versions)
      assert.deepEqual([version.source, version.savedBy], ['admin', ANN.email])
    for (const { version, content } of fc.sample(fc.constantFrom(...versions), { numRuns: 40, seed: 21 })) {
      const outcome = await restoreVersion(db, { id, versionId: version.id }, saving())
      assert.equal(outcome.kind, 'saved')
      assert.deepEqual(await stateOf(id), content)
    }
  }
})

test('a picture comes back from the trash with its versions, which go after 30 days', async (t) => {
  const db = await openTestDatabase(t)
  const saving = { now: NOW, by: ANN }
  const contents = (id: number) => listVersionContents(db, pictureSubject(id), { limit: 9 })
  const save = (picture: Partial<Picture>) => savePicture(db, aPicture(picture), saving)
  const { id } = await save({ name: 'van.jpg' })
  await save({ name: 'van.jpg', alt: 'Our van', sha256: hash('sha256', 'other') })
  await save({ name: 'van.jpg', alt: 'Our new van', sha256: hash('sha256', 'other') })
  const { id: other } = await save({ name: 'roof.jpg' })
  const [of] = await contents(other)
  const outcome = await restoreVersion(db, { id, versionId: of?.version.id ?? 0 }, saving)
  assert.deepEqual(outcome, { kind: 'not_found' }, 'of another picture')

  const state = async () => [await findPictureById(db, id), await contents(id), await listHashes(db)]
  const before = await state()
  const intoTrash = () => db.transaction().execute((trx) => trashPicture(trx, 'van.jpg', saving))
  await intoTrash()
  const [trashed] = await listTrash(db, { limit: 1 })
  assert.equal(trashed?.parts, 2, 'earlier versions, whether the file or only the details changed')
  assert.equal((await restoreTrashedPicture(db, trashed?.id ?? 0)).kind, 'saved')
  assert.deepEqual(await state(), before)

  await intoTrash()
  await emptyTrash(db, { now: new Date(Date.parse(NOW) + 31 * DAY_MS) })
  assert.deepEqual(await contents(id), [])
  assert.equal((await contents(other)).length, 1)
})

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: files replaced before versions had details become versions, and can be restored`, async () => {
    const db = await engine.openMigrated()
    const file = (name: string) => ({ sha256: hash('sha256', name), width: 300, height: 200, size: 1_000 })
    const { id } = await savePicture(db, aPicture({ name: 'van.jpg', alt: 'Our van', ...file('newest') }), {
      now: NOW,
    })
    await deleteVersions(db, 'picture', [id])
    const crop_json = '{"x":0.1,"y":0.2,"width":0.5,"height":0.25}'
    for (const [name, crop, replaced_at] of [
      ['oldest', null, '2026-11-21T10:00:00.000Z'],
      ['older', crop_json, '2026-11-22T10:00:00.000Z'],
    ] as const)
      await db
        .insertInto('picture_versions')
        .values({ picture_id: id, ...file(name), crop_json: crop, replaced_at })
        .execute()

    await takeOverReplaced(db as unknown as Kysely<unknown>)

    const versions = await listVersionContents(db, pictureSubject(id), { limit: 9 })
    assert.deepEqual(
      versions.map(({ version, content }) => [version.savedAt, (content as PictureSnapshot).sha256]),
      [
        ['2026-11-21T10:00:00.000Z', file('older').sha256],
        [NOW, file('oldest').sha256],
      ],
    )
    for (const { version, content } of versions) {
      const outcome = await restoreVersion(db, { id, versionId: version.id }, { now: NOW })
      assert.equal(outcome.kind, 'saved')
      const picture = await findPictureById(db, id)
      assert.deepEqual(picture && toPictureSnapshot(picture), content)
    }
  })
}
