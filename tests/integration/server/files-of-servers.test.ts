import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { deleteSelected } from '#src/submissions/inbox/sort-submissions.ts'
import { openUpload } from '#src/submissions/uploads/open-upload.ts'
import { sweepUploads } from '#src/submissions/uploads/upload-sweep.ts'
import { startSiteOn } from '../../support/bare-site.ts'
import { countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { runScript } from '../../support/running-site.ts'
import { startS3 } from '../../support/s3-server.ts'
import { aPost, startUploads } from '../../support/uploads.ts'

const DAY_MS = 86_400_000

test(
  'a file posted to one server downloads from the other, and deleting the lead removes it from both',
  needsPostgres,
  async (t) => {
    const database = await postgresDatabase(t)
    const s3 = await startS3(t)
    const environment = { ...s3.environment, SECRET_KEY: Buffer.alloc(32, 'k').toString('base64') }
    const first = await startSiteOn(t, database.url, environment)
    const second = await startSiteOn(t, database.url, environment)
    await storeForm(first.app.db, 'job', { fields: [{ name: 'notes', label: 'Notes', type: 'file' }] })
    const response = await fetch(`${first.url}/api/forms/job/submissions`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: aPost({ notes: ['from the visitor', 'a.txt', 'text/plain'] }),
    })
    assert.equal(response.status, 201, await response.clone().text())
    const { id } = (await response.json()) as { id: number }
    const upload = await first.app.db.selectFrom('uploads').select('id').executeTakeFirstOrThrow()
    for (const { app } of [first, second]) {
      const opened = await openUpload(app.db, upload.id, { files: app.files, scope: EVERY_LEAD })
      assert.ok(opened)
      assert.deepEqual(
        [opened.name, opened.size, await text(opened.stream)],
        ['a.txt', 16, 'from the visitor'],
      )
    }
    await deleteSelected(second.app.db, [id], { files: second.app.files, scope: EVERY_LEAD })
    assert.deepEqual([...s3.objects.keys()], [])
  },
)

async function startWithBucket(t: TestContext) {
  const s3 = await startS3(t)
  const site = await startUploads(t, { environment: s3.environment })
  const post = () => site.post(aPost({ full_name: 'Ann', notes: ['a note', 'a.txt', 'text/plain'] }))
  return { ...site, site, s3, post }
}

test('posts with files are refused without a row while the bucket fails, and accepted afterward', async (t) => {
  const { app, site, s3, post, filesOnDisk } = await startWithBucket(t)
  s3.failWith(503)
  // Answers are checked before the bucket is asked; the daily sweep lists all files meanwhile.
  const invalid = await site.post(aPost({ notes: ['a note', 'a.txt', 'text/plain'] }))
  const asked = s3.requests.filter((request) => !request.endsWith('uploads%2F'))
  assert.deepEqual([invalid.status, asked], [422, []])
  const refused = await post()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  assert.equal(await countRows(app.db, 'form_submissions'), 0)
  s3.failWith(undefined)
  assert.equal((await post()).status, 201)
  assert.equal(s3.objects.size, 1)
  assert.deepEqual(await filesOnDisk(), [])
})

test('orphaned files in the bucket are removed after 24 hours; files of leads stay', async (t) => {
  const { app, s3, post } = await startWithBucket(t)
  assert.equal((await post()).status, 201)
  const [kept] = s3.objects.keys()
  const orphan = `one/site/uploads/${'a'.repeat(32)}/1`
  s3.objects.set(orphan, { bytes: Buffer.from('x'), writtenAt: new Date() })
  const sweep = (ageMs: number) =>
    sweepUploads(app.db, { files: app.files, now: new Date(Date.now() + ageMs) })
  assert.equal(await sweep(DAY_MS - 60_000), 0)
  assert.equal(await sweep(DAY_MS + 60_000), 1)
  assert.deepEqual([...s3.objects.keys()], [kept])
})

test('npm run files:copy moves a site’s files to a bucket', async (t) => {
  const s3 = await startS3(t)
  const site = await startUploads(t)
  const posted = await site.post(aPost({ full_name: 'Ann', notes: ['a note', 'a.txt', 'text/plain'] }))
  assert.equal(posted.status, 201)
  const { dataDir } = site.app.config
  const copy = (environment: Record<string, string>, ...args: string[]) =>
    runScript('files-copy.ts', { dataDir, environment, arguments: args })
  const none = await copy({}, '--to', 'store')
  assert.deepEqual([none.code, /FILE_STORE is DATA_DIR/.test(none.output)], [1, true], none.output)
  for (const [args, said] of [
    [[], '--to is missing'],
    [['--to', 'bucket'], '--to is "bucket"'],
  ] as const) {
    const { code, output } = await copy(s3.environment, ...args)
    const [message] = output.split('\n')
    assert.deepEqual([code, message], [2, `${said}; expected store (FILE_STORE) or disk (DATA_DIR)`])
  }
  const done = await copy(s3.environment, '--to', 'store')
  assert.deepEqual([done.code, done.output.trim()], [0, 'Copied 1 file; 0 files were already there'])
  assert.deepEqual(
    [...s3.objects.values()].map(({ bytes }) => String(bytes)),
    ['a note'],
  )
})
