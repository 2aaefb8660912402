import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { FileStore } from '#src/files/file-store.ts'
import type { PostedFiles } from '#src/submissions/uploads/upload.ts'
import { createUploadFolder } from '#src/submissions/uploads/upload-folder.ts'
import { findUpload } from '#src/submissions/uploads/upload-store.ts'
import { removeUploadFiles, sweepUploads } from '#src/submissions/uploads/upload-sweep.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aDesk, assertStored, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const HOUR_MS = 60 * 60 * 1_000

const engine = postgresEngine()
after(() => engine.close())

const ENGINES: [name: string, open: (t: TestContext) => Promise<Kysely<Schema>>][] = [
  ['SQLite', openTestDatabase],
  [
    'PostgreSQL',
    async () => {
      const db = await engine.openMigrated()
      return db
    },
  ],
]

function aStore(t: TestContext) {
  const dataDir = temporaryFolder(t)
  return { uploadsDir: join(dataDir, 'uploads'), files: openDiskFiles(dataDir) }
}

/** A post's file under `photo`, in its temporary folder. */
async function aPostedFile(files: FileStore, name = 'roof.png') {
  const folder = createUploadFolder(files, { freeBytesOf: async () => Number.POSITIVE_INFINITY })
  const { file, handle } = await folder.create()
  await handle.writeFile('12345')
  await handle.close()
  const posted: PostedFiles = {
    byField: { photo: [{ name, size: 5, type: 'image/png', file }] },
    folder: folder.name,
    keep: folder.keep,
  }
  return { folder, files: posted }
}

function storePhotoForm(db: Kysely<Schema>) {
  return storeForm(db, 'job', {
    fields: [
      { name: 'photo', label: 'Photo', type: 'file', required: true },
      { name: 'email', label: 'Email', type: 'email' },
    ],
  })
}

for (const [name, open] of ENGINES) {
  test(`contract §5 on ${name} a submission and its file rows are one transaction`, async (t) => {
    const db = await open(t)
    const { uploadsDir, files } = aStore(t)
    await storePhotoForm(db)
    const desk = aDesk(db)
    const ids = Array.from({ length: 8 }, () => randomUUID())
    const posts = await Promise.all([...ids, ...ids].map(() => aPostedFile(files)))
    // Some share a transaction, and each is sent twice at the same moment.
    const outcomes = await Promise.all(
      [...ids, ...ids].map((_id, index) =>
        desk.accept('job', { _id }, { files: posts[index]?.files as PostedFiles }),
      ),
    )
    const kinds = outcomes.map(({ kind }) => kind)
    assert.deepEqual(
      [
        kinds.filter((kind) => kind === 'accepted').length,
        kinds.filter((kind) => kind === 'repeated').length,
      ],
      [8, 8],
    )
    const rows = await db.selectFrom('uploads').selectAll().execute()
    assert.equal(rows.length, 8)
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'accepted') continue
      const { answers } = await storedSubmission(db, outcome)
      const row = rows.find(({ submission_id }) => submission_id === outcome.id)
      assert.equal(row?.folder, posts[index]?.folder.name)
      assert.deepEqual(answers.photo, { name: 'roof.png', size: 5, type: 'image/png', upload_id: row?.id })
      assert.ok(existsSync(join(uploadsDir, row?.folder ?? '', row?.file ?? '')))
    }
  })

  test(`on ${name} deleting submissions removes their files and no others`, async (t) => {
    const db = await open(t)
    const { uploadsDir, files } = aStore(t)
    await storePhotoForm(db)
    const desk = aDesk(db)
    const kept = await aPostedFile(files)
    const gone = await aPostedFile(files)
    const first = assertStored(await desk.accept('job', {}, { files: kept.files }))
    const second = assertStored(await desk.accept('job', {}, { files: gone.files }))
    await removeUploadFiles(db, [second.id], { files })
    await removeUploadFiles(db, [], { files })
    await db.deleteFrom('form_submissions').where('id', '=', second.id).execute()
    const rows = await db.selectFrom('uploads').select(['id', 'submission_id']).execute()
    assert.deepEqual(
      rows.map((row) => row.submission_id),
      [first.id],
    )
    assert.ok(existsSync(join(uploadsDir, kept.folder.name)))
    assert.ok(!existsSync(join(uploadsDir, gone.folder.name)))
    assert.equal((await findUpload(db, Number(rows[0]?.id), EVERY_LEAD))?.fieldName, 'photo')
    assert.equal(await findUpload(db, 999, EVERY_LEAD), undefined)
  })
}

test('contract §5 a lead with a file is delivered, emailed, and answered like any other', async (t) => {
  const db = await openTestDatabase(t)
  const { files } = aStore(t)
  const email = { name: 'email', label: 'Email', type: 'email' as const }
  const form = await storeForm(db, 'job', {
    fields: [{ name: 'photo', label: 'Photo', type: 'file' }, email],
    settings: { notification_email: 'leads@example.com', reply: { subject: 'Thanks', text: 'We call you.' } },
  })
  for (const fireOn of [
    { email: 'ann@example.com' },
    { field: 'photo', op: 'not_empty' },
    { email: 'x@y.z' },
  ])
    await storeWebhook(db, form.id, { fireOn })
  const desk = aDesk(db, { sendsMail: true, now: () => NOW })
  const posted = await aPostedFile(files)
  const { id } = assertStored(await desk.accept('job', { email: 'ann@example.com' }, { files: posted.files }))
  const deliveries = await db.selectFrom('webhook_deliveries').selectAll().orderBy('webhook_id').execute()
  assert.deepEqual(
    deliveries.map((one) => [one.submission_id, one.status, one.created_at]),
    ['pending', 'pending', 'skipped'].map((status) => [id, status, NOW.toISOString()]),
  )
  for (const [table, recipient] of [
    ['notification_mails', 'leads@example.com'],
    ['reply_mails', 'ann@example.com'],
  ] as const) {
    const mails = await db.selectFrom(table).selectAll().execute()
    assert.deepEqual(
      mails.map((one) => [one.submission_id, one.form_id, one.recipient, one.created_at]),
      [[id, form.id, recipient, NOW.toISOString()]],
    )
  }
})

test('a refused post leaves its file in the temporary folder to be discarded', async (t) => {
  const db = await openTestDatabase(t)
  const { uploadsDir, files } = aStore(t)
  await storePhotoForm(db)
  const post = await aPostedFile(files)
  const outcome = await aDesk(db).accept('job', { email: 'nope' }, { files: post.files })
  assert.equal(outcome.kind, 'invalid')
  assert.ok(!existsSync(join(uploadsDir, post.folder.name)))
  await post.folder.discard()
  assert.deepEqual(await readdir(join(uploadsDir, 'tmp')), [])
})

test('a file that can’t be written counts as full storage: nothing is stored', async (t) => {
  const db = await openTestDatabase(t)
  await storePhotoForm(db)
  const { files } = await aPostedFile(aStore(t).files)
  const keep = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
  assert.equal((await aDesk(db).accept('job', {}, { files: { ...files, keep } })).kind, 'unavailable')
  assert.equal(await countRows(db, 'form_submissions'), 0)
})

test('only leftovers of a crash are removed after 24 hours', async (t) => {
  const db = await openTestDatabase(t)
  const { uploadsDir, files } = aStore(t)
  await storePhotoForm(db)
  const desk = aDesk(db)
  const posts = await Promise.all(Array.from({ length: 5 }, () => aPostedFile(files)))
  const [stored, unstored, fresh, unfinished, arriving] = posts.map(({ folder }) => folder.name)
  for (const post of posts.slice(0, 3)) await post.files.keep()
  await desk.accept('job', {}, { files: posts[0]?.files as PostedFiles })
  await mkdir(join(uploadsDir, 'notes'))
  await writeFile(join(uploadsDir, 'notes', 'of somebody.txt'), '')
  const age = async (path: string, hours: number) => {
    const then = new Date(NOW.getTime() - hours * HOUR_MS)
    for (const one of [join(path, '1'), path])
      if (existsSync(join(uploadsDir, one))) await utimes(join(uploadsDir, one), then, then)
  }
  for (const path of [`${stored}`, `${unstored}`, `tmp/${unfinished}`, 'notes']) await age(path, 25)
  for (const path of [`${fresh}`, `tmp/${arriving}`]) await age(path, 23)

  assert.equal(await sweepUploads(db, { files, now: NOW }), 2)
  assert.deepEqual((await readdir(uploadsDir)).sort(), [fresh, stored, 'notes', 'tmp'].sort())
  assert.deepEqual(await readdir(join(uploadsDir, 'tmp')), [arriving])
  assert.equal(await sweepUploads(db, { files, now: NOW }), 0)
})

test('a sweep creates a missing folder', async (t) => {
  const db = await openTestDatabase(t)
  const { uploadsDir, files } = aStore(t)
  assert.equal(await sweepUploads(db, { files, now: NOW }), 0)
  assert.deepEqual(await readdir(uploadsDir), ['tmp'])
})
