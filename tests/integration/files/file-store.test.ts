import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { copyFiles } from '#src/files/copy-files.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { openFileStore } from '#src/files/open-file-store.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { startS3 } from '#tests/support/s3-server.ts'

async function aBucket(t: TestContext) {
  const s3 = await startS3(t)
  const { dataDir, filePlace } = readConfig({ DATA_DIR: temporaryFolder(t), ...s3.environment })
  return { s3, files: openFileStore(filePlace, { dataDir }) }
}

const STORES: readonly [name: string, open: (t: TestContext) => Promise<FileStore>][] = [
  [
    'a folder',
    async (t) => {
      const folder = temporaryFolder(t)
      return openFileStore({ kind: 'disk', folder }, { dataDir: '/nowhere' })
    },
  ],
  ['a bucket', async (t) => (await aBucket(t)).files],
]

async function keysOf(files: FileStore, key: string) {
  const keys: string[] = []
  for await (const file of files.list(key)) keys.push(file.key)
  return keys.sort()
}

async function textOf(files: FileStore, key: string) {
  const file = await files.open(key)
  return file && [file.size, await text(file.stream)]
}

for (const [name, open] of STORES) {
  test(`${name} returns, lists, and removes stored files`, async (t) => {
    const files = await open(t)
    const folder = join(files.localFolder, 'uploads', 'tmp', 'post')
    await mkdir(folder, { recursive: true })
    for (const number of [1, 2, 3]) await writeFile(join(folder, String(number)), `file ${number}`)
    await files.keepFolder(folder, 'uploads/aa')
    for (const key of ['uploads/bb/1', 'uploads/b/1', 'pictures/1']) await files.write(key, new Blob([key]))
    await files.write('uploads/bb/1', new Blob(['written again']))
    assert.deepEqual(await textOf(files, 'uploads/aa/2'), [6, 'file 2'])
    assert.deepEqual(await textOf(files, 'uploads/bb/1'), [13, 'written again'])
    assert.equal(await files.open('uploads/aa/4'), undefined)
    const kept = ['uploads/aa/1', 'uploads/aa/2', 'uploads/aa/3', 'uploads/b/1', 'uploads/bb/1']
    assert.deepEqual(await keysOf(files, 'uploads'), kept)
    for await (const { key, size, writtenAt } of files.list('uploads/aa')) {
      assert.equal(size, 6, key)
      assert.ok(Math.abs(Date.now() - writtenAt.getTime()) < 60_000, String(writtenAt))
    }
    await files.remove('uploads/aa')
    await files.remove('uploads/b')
    await files.remove('uploads/nothing')
    assert.deepEqual(await keysOf(files, ''), ['pictures/1', 'uploads/bb/1'])
    await files.remove('pictures/1')
    assert.equal(await files.open('pictures/1'), undefined)
    assert.deepEqual(await keysOf(files, ''), ['uploads/bb/1'])
    assert.deepEqual(await keysOf(files, 'nothing'), [])
  })

  test(`${name} stores exact bytes and empty files`, async (t) => {
    const files = await open(t)
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
    await files.write('uploads/aa/1', new Blob([bytes]))
    await files.write('uploads/aa/2', new Blob([]))
    const file = await files.open('uploads/aa/1')
    assert.ok(file && bytes.equals(await buffer(file.stream)))
    assert.deepEqual(await textOf(files, 'uploads/aa/2'), [0, ''])
  })
}

test('a bucket lists only keys below the prefix, across pages', async (t) => {
  const { s3, files } = await aBucket(t)
  const keys = Array.from({ length: 10 }, (_, index) => `uploads/aa/${index}`)
  for (const key of keys) await files.write(key, new Blob([key]))
  s3.objects.set('one/other/uploads/aa/1', { bytes: Buffer.from('x'), writtenAt: new Date() })
  assert.deepEqual([...s3.objects.keys()].filter((key) => !key.startsWith('one/site/')).length, 1)
  assert.deepEqual(await keysOf(files, 'uploads'), keys)
})

test('a failing, forbidden, or missing bucket is a storage failure that says what to check', async (t) => {
  const { s3, files } = await aBucket(t)
  s3.failWith(500)
  await assert.rejects(files.open('uploads/aa/1'), {
    code: 'EIO',
    message: /rejected a request \(InternalError\)/,
  })
  s3.failWith(undefined)
  for (const [environment, message] of [
    [{ S3_SECRET_ACCESS_KEY: 'wrong' }, /\(SignatureDoesNotMatch\)\. Check FILE_STORE and its access key/],
    [{ FILE_STORE: s3.environment.FILE_STORE?.replace('//files', '//nothing') }, /nothing does not exist/],
    [{ FILE_STORE: 's3://files?endpoint=http://127.0.0.1:9' }, /did not respond/],
  ] as const) {
    const { dataDir, filePlace } = readConfig({
      DATA_DIR: temporaryFolder(t),
      ...s3.environment,
      ...environment,
    })
    const other = openFileStore(filePlace, { dataDir })
    await assert.rejects(other.write('uploads/aa/1', new Blob(['x'])), { code: 'EIO', message })
    await assert.rejects(keysOf(other, 'uploads'), { code: 'EIO', message })
  }
})

test('a bucket’s keys and sizes are read from any XML formatting', async (t) => {
  const keys = ['a&amp;b', 'c&lt;d&gt;', 'e&quot;&apos;', 'f&#38;&#246;', 'g&#x26;&#X1F600;', 'h+ i']
  const contents = keys.map((key) => `<Contents>\n<Size>7</Size>\n<Key>uploads/${key}</Key>\n</Contents>`)
  const server = createServer((_, response) => {
    response.end(`<ListBucketResult>${contents.join('\n')}</ListBucketResult>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const access = { variable: 'FILE_STORE', accessKeyId: 'a', secretAccessKey: 's' } as const
  const bucket = { ...access, endpoint, name: 'files', prefix: '', region: 'eu' }
  const files = openFileStore({ kind: 'bucket', ...bucket }, { dataDir: temporaryFolder(t) })
  const listed = ['a&b', 'c<d>', `e"'`, 'f&ö', 'g&😀', 'h+ i']
  assert.deepEqual(
    await keysOf(files, 'uploads'),
    listed.map((key) => `uploads/${key}`),
  )
})

test('a folder’s files are private, and a failed write leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const files = openDiskFiles(folder)
  await files.write('uploads/aa/1', new Blob(['x']))
  assert.equal((await stat(join(folder, 'uploads/aa/1'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, 'uploads'))).mode & 0o777, 0o700)
  await mkdir(join(folder, 'uploads/aa/2'))
  await assert.rejects(files.write('uploads/aa/2', new Blob(['x'])), { code: 'EISDIR' })
  assert.deepEqual(await readdir(join(folder, 'uploads/aa')), ['1', '2'])
})

test('a folder lists only complete regular files and reports failures', async (t) => {
  const folder = temporaryFolder(t)
  const files = openDiskFiles(folder)
  await files.write('uploads/aa/1', new Blob(['x']))
  await symlink(join(folder, 'uploads/aa/1'), join(folder, 'uploads/aa/2'))
  await writeFile(join(folder, 'uploads/aa/3.tmp'), 'under way')
  for (const key of ['uploads/aa', 'uploads/aa/2', 'uploads/aa/1/x'])
    assert.equal(await files.open(key), undefined, key)
  assert.deepEqual(await keysOf(files, 'uploads'), ['uploads/aa/1'])
  await assert.rejects(files.open('x'.repeat(300)), { code: 'ENAMETOOLONG' })
  await assert.rejects(keysOf(files, 'uploads/aa/1'), { code: 'ENOTDIR' })
})

test('files are copied to a bucket and back, and a second copy adds only missing ones', async (t) => {
  const disk = openDiskFiles(temporaryFolder(t))
  const { files } = await aBucket(t)
  for (const key of ['uploads/aa/1', 'uploads/aa/2', 'uploads/bb/1']) await disk.write(key, new Blob([key]))
  await disk.write('uploads/tmp/cc/1', new Blob(['of a post under way']))
  assert.deepEqual(await copyFiles(disk, files), { copied: 3, known: 0 })
  await files.remove('uploads/bb')
  assert.deepEqual(await copyFiles(disk, files), { copied: 1, known: 2 })
  const back = openDiskFiles(temporaryFolder(t))
  assert.deepEqual(await copyFiles(files, back), { copied: 3, known: 0 })
  assert.deepEqual(await keysOf(back, ''), ['uploads/aa/1', 'uploads/aa/2', 'uploads/bb/1'])
  assert.deepEqual(await textOf(back, 'uploads/bb/1'), [12, 'uploads/bb/1'])
})
