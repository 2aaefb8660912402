import assert from 'node:assert/strict'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { findForm } from '#src/forms/form-store.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { openUpload } from '#src/submissions/uploads/open-upload.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aPost, MIB, PNG, startUploads } from '../../support/uploads.ts'

const ADDRESS = '198.51.100.9'

test('an administrator downloads a stored file with its name, type, and size, and no other file', async (t) => {
  const { app, post, uploads } = await startUploads(t)
  await post(aPost({ full_name: 'Ann', photo: [PNG, 'my roof.png'] }))
  const row = await app.db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow()
  const open = () => openUpload(app.db, row.id, { scope: EVERY_LEAD, files: app.files })
  const opened = await open()
  assert.ok(opened)
  const { stream, ...facts } = opened
  assert.deepEqual(facts, {
    submissionId: row.submission_id,
    name: 'my roof.png',
    type: 'image/png',
    size: PNG.length,
  })
  assert.deepEqual(await buffer(stream), PNG)
  assert.equal(await openUpload(app.db, 999, { scope: EVERY_LEAD, files: app.files }), undefined)

  await writeFile(join(uploads, 'secret'), 'x')
  for (const place of [
    { folder: '..', file: '1' },
    { folder: row.folder, file: '../secret' },
    { folder: `${row.folder}/..`, file: 'secret' },
    { folder: '/etc', file: 'passwd' },
    { folder: row.folder, file: '' },
    { folder: 'ab'.repeat(16), file: '1' },
  ]) {
    await app.db.updateTable('uploads').set(place).where('id', '=', row.id).execute()
    assert.equal(await open(), undefined, JSON.stringify(place))
  }
  const { folder, file } = row
  await app.db.updateTable('uploads').set({ folder, file }).where('id', '=', row.id).execute()
  const path = join(uploads, folder, file)
  await rename(path, join(uploads, 'moved'))
  await symlink(join(uploads, 'secret'), path)
  assert.equal(await open(), undefined, 'a link')
  await rm(path)
  await mkdir(path)
  assert.equal(await open(), undefined, 'a folder')
})

test('contract §5 an outdated page can still send a file, under the rules it showed', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t)
  const photo = { name: 'photo', label: 'Photo', type: 'file' as const }
  await storeForm(app.db, 'old', {
    fields: [{ ...photo, validation: { accept: '.png', max_size: 2 * MIB } }],
  })
  await storeForm(app.db, 'old', { fields: [{ ...photo, name: 'plan', validation: { max_size: MIB } }] })
  app.desk.invalidate()
  const send = (_v: string, files: Parameters<typeof aPost>[0]) =>
    post(aPost({ _v, ...files }), undefined, 'old')

  const large = Buffer.concat([PNG, Buffer.alloc(MIB)])
  const response = await send('1', { photo: [large, 'roof.png'] })
  assert.equal(response.status, 201)
  const submission = await findSubmission(app.db, (await response.json()).id, EVERY_LEAD)
  assert.equal(submission?.formVersion, 1)
  const row = await app.db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(submission?.answers, {
    photo: { name: 'roof.png', size: large.length, type: 'image/png', upload_id: row.id },
    plan: null,
  })
  assert.equal((await filesOnDisk()).length, 1)

  const refused = await send('1', { photo: ['text', 'notes.txt'] })
  assert.deepEqual((await refused.json()).errors, { photo: ['Choose a PNG picture'] })
  const tooLarge = await send('2', { plan: [large, 'roof.png'] })
  assert.deepEqual((await tooLarge.json()).errors, { plan: ['Choose a file no larger than 1 MB'] })
  // On today's page there is no such question.
  const today = await send('2', { photo: [PNG, 'roof.png'] })
  const { answers } = (await findSubmission(app.db, (await today.json()).id, EVERY_LEAD)) ?? {}
  assert.deepEqual(answers, { plan: null })
  assert.equal((await filesOnDisk()).length, 1)
})

test('uploads per address, form, and hour are limited, including refused posts', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t, { environment: { RATE_LIMIT: '100/min' } })
  const form = await findForm(app.db, 'job')
  assert.ok(form && app.postLimits)
  await app.postLimits.takeUpload(form.id, '127.0.0.1', 511 * MIB)
  const upload = () => post(aPost({ full_name: '', photo: [PNG, 'a.png'] }))
  assert.equal((await upload()).status, 422)
  const refused = await upload()
  assert.equal(refused.status, 429)
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 3_500 && seconds <= 3_600, String(seconds))
  assert.deepEqual(await filesOnDisk(), [])
})

test('the limit on uploads counts per address and form, by the hour, and survives a restart', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'job', {
    fields: [{ name: 'photo', label: 'Photo', type: 'file', validation: { max_size: 25 * MIB } }],
  })
  const clock = { time: Date.parse('2026-11-20T23:30:00.000Z') }
  const start = () => {
    const now = () => new Date(clock.time)
    const secretKeys = fixedRing(new Uint8Array(32))
    return createPostLimits({ db, limits: [{ count: 600, windowMs: 60_000 }], secretKeys, now })
  }
  const waitSeconds = async (of = limits, { id = form.id, address = ADDRESS } = {}) => {
    const room = await of.takeUpload(id, address, 0)
    return room.kind === 'taken' ? 0 : room.retryAfterSeconds
  }
  const limits = start()
  await limits.takeUpload(form.id, ADDRESS, 512 * MIB)
  assert.equal(await waitSeconds(), 3_600)
  assert.equal(await waitSeconds(limits, { address: '198.51.100.10' }), 0)
  assert.equal(await waitSeconds(limits, { id: form.id + 1 }), 0)
  clock.time += 3_600_000
  assert.equal(await waitSeconds(), 0)

  const take = () => limits.takeUpload(form.id, ADDRESS, 60 * MIB)
  const first = await take()
  clock.time += 1_000
  const atOnce = await Promise.all(Array.from({ length: 100 }, take))
  clock.time += 1_000
  const taken = [first, ...atOnce].filter((room) => room.kind === 'taken')
  assert.equal(taken.length, 9, 'what is on its way counts')
  for (const room of taken) room.settle(0.5 * MIB)
  const rest = await limits.takeUpload(form.id, ADDRESS, (512 - 9) * MIB)
  assert.equal(rest.kind, 'taken')
  assert.equal(await waitSeconds(), 3_600)
  clock.time += 3_600_000

  const photo = { name: 'a.png', size: 25 * MIB, type: 'image/png', file: '1' }
  const desk = aDesk(db, { now: () => new Date(clock.time), limits })
  for (let count = 0; count < 21; count += 1) {
    const folder = count.toString(16).padStart(32, '0')
    const files = { byField: { photo: [photo] }, folder, keep: async () => {} }
    assert.equal((await desk.accept('job', {}, { address: ADDRESS, files })).kind, 'accepted')
  }
  assert.equal(await waitSeconds(start()), 3_600)
  clock.time += 3_600_000
  assert.equal(await waitSeconds(start()), 0)
})
