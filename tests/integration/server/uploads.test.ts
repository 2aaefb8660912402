import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { findUpload } from '#src/submissions/uploads/upload-store.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aPost, MIB, PNG, PROGRAM, startUploads } from '../../support/uploads.ts'

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')
const NOT_UTF8 = new Blob([
  '--x\r\nContent-Disposition: form-data; name="full_name"\r\n\r\n',
  new Uint8Array([0xff]),
  '\r\n--x--\r\n',
])

test('contract §5 files of a multipart post are stored with the submission', async (t) => {
  const { app, post, filesOnDisk, uploads } = await startUploads(t)
  await t.test('two files: bytes on disk, rows, and answers', async () => {
    const response = await post(
      aPost({ full_name: 'Ann', photo: [PNG, 'my photo.png'], notes: ['héllo', 'n.txt'] }),
    )
    assert.equal(response.status, 201)
    const { id } = await response.json()
    const { answers } = (await findSubmission(app.db, id, EVERY_LEAD)) ?? {}
    const rows = await app.db.selectFrom('uploads').selectAll().where('submission_id', '=', id).execute()
    const [photo, notes] = rows
    assert.ok(photo && notes && rows.length === 2)
    assert.deepEqual(answers, {
      full_name: 'Ann',
      photo: { name: 'my photo.png', size: PNG.length, type: 'image/png', upload_id: photo.id },
      notes: { name: 'n.txt', size: 6, type: 'text/plain', upload_id: notes.id },
    })
    const stored = await findUpload(app.db, photo.id, EVERY_LEAD)
    assert.ok(stored)
    assert.deepEqual(await readFile(join(uploads, stored.folder, stored.file)), PNG)
    assert.match(stored.folder, /^[0-9a-f]{32}$/)
    assert.equal((await filesOnDisk()).length, 2)
  })

  await t.test('no file chosen: an empty part is stored as null', async () => {
    const response = await post(aPost({ full_name: 'Ann', photo: ['', ''] }))
    assert.equal(response.status, 201)
    const { answers } = (await findSubmission(app.db, (await response.json()).id, EVERY_LEAD)) ?? {}
    assert.deepEqual(answers, { full_name: 'Ann', photo: null, notes: null })
  })

  await t.test('a form without file fields accepts multipart too, with 303 for browsers', async () => {
    const body = aPost({ full_name: 'A', email: 'a@example.com', phone: '512 555 0100', role: 'x' })
    assert.equal((await post(body, { accept: 'text/html' }, 'waitlist')).status, 303)
  })

  await t.test('the same _id again: the first response, and nothing more on disk', async () => {
    const before = (await filesOnDisk()).length
    const _id = randomUUID()
    const first = await (await post(aPost({ _id, full_name: 'A', photo: [PDF, 'a.pdf'] }))).json()
    const again = await post(aPost({ _id, full_name: 'A', photo: [PDF, 'a.pdf'] }))
    assert.equal(again.status, 200)
    assert.deepEqual(await again.json(), first)
    assert.equal((await filesOnDisk()).length, before + 1)
  })

  await t.test('a text sent for a file field, in any content type, isn’t a file', async () => {
    const response = await post(JSON.stringify({ full_name: 'A', photo: 'a.png' }), {
      'content-type': 'application/json',
    })
    const { answers } = (await findSubmission(app.db, (await response.json()).id, EVERY_LEAD)) ?? {}
    assert.equal(answers?.photo, null)
  })
})

test('§2.2 a file that breaks its field’s rules is refused with a message and not stored', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t)
  const html = '<!doctype html><script>alert(1)</script>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const refused: [what: string, bytes: Buffer | string, name: string, problem: RegExp, field?: string][] = [
    ['a text for a picture', 'hello', 'a.txt', /^Choose a PDF or a picture$/],
    ['a text called a picture', 'hello', 'a.png', /^Choose a PDF or a picture$/],
    ['a picture called a PDF', PNG, 'a.pdf', /^Choose a PDF or a picture$/],
    ['a picture with the name of a program', PNG, 'a.exe', /^Choose a PDF or a picture$/],
    ['SVG', svg, 'a.svg', /^Choose/],
    ['a file over max_size', Buffer.alloc(MIB + 1), 'a.png', /^Choose a file no larger than 1 MB$/],
    ['an empty file', '', 'a.png', /^This file is empty\. Choose another file$/],
    [
      'a file over the 10 MiB of a field that says nothing',
      Buffer.alloc(10 * MIB + 1),
      'a.pdf',
      /10 MB/,
      'notes',
    ],
    ['HTML, with no accept', html, 'a.html', /^Choose/, 'notes'],
    ['HTML called a text', html, 'a.txt', /^Choose/, 'notes'],
    ['SVG called a text', svg, 'a.txt', /^Choose/, 'notes'],
    ['a script', '#!/bin/sh\nls', 'a.txt', /^Choose/, 'notes'],
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0'), 'a.exe', /^Choose/, 'notes'],
    ['a text with a NUL', 'a\0b', 'a.txt', /^Choose/, 'notes'],
    ['a text that is not UTF-8', Buffer.from([0x61, 0xff, 0xfe]), 'a.csv', /^Choose/, 'notes'],
  ]
  for (const [what, bytes, name, problem, field = 'photo'] of refused) {
    await t.test(what, async () => {
      const response = await post(aPost({ full_name: 'A', [field]: [bytes, name] }))
      assert.equal(response.status, 422)
      const { errors } = await response.json()
      assert.match(errors[field]?.[0], problem)
      assert.deepEqual(await filesOnDisk(), [])
    })
  }

  await t.test('two files for one field', async () => {
    const body = aPost({ full_name: 'A', photo: [PNG, 'a.png'] })
    body.append('photo', new File([PNG], 'b.png'))
    assert.deepEqual((await (await post(body)).json()).errors, { photo: ['Choose only one file'] })
  })

  await t.test('another answer is invalid: the page asks for the file again', async () => {
    const response = await post(aPost({ full_name: '', photo: [PNG, 'roof.png'] }), { accept: 'text/html' })
    const { view } = await response.json()
    assert.equal(response.status, 422)
    assert.deepEqual(view.detail.form.values.photo, ['roof.png'])
    assert.deepEqual(Object.keys(view.detail.form.errors), ['full_name'])
  })

  assert.deepEqual(await filesOnDisk(), [])
  assert.equal((await app.db.selectFrom('form_submissions').selectAll().execute()).length, 0)
})

test('contract §5 an oversize or unreadable multipart post is refused and not stored', async (t) => {
  const { post, port, filesOnDisk } = await startUploads(t)
  const many = (count: number, part: (index: number) => [string, string | File]) => {
    const form = aPost({ full_name: 'A' })
    for (let index = 0; index < count; index += 1) form.append(...(part(index) as [string, string]))
    return form
  }
  const multipart = { ...PROGRAM, 'content-type': 'multipart/form-data; boundary=x' }
  const cases: [string, () => Promise<{ status?: number | undefined }>, number][] = [
    ['500 other values', () => post(many(500, (index) => [`n${index}`, ''])), 413],
    ['21 files', () => post(many(21, () => ['photo', new File([PNG], 'a.png')])), 413],
    ['65 KiB of text in all', () => post(many(65, (index) => [`n${index}`, 'x'.repeat(1024)])), 413],
    ['more than 60 MiB', () => postLarge(port, 61), 413],
    ['no boundary', () => post('--x--', { ...PROGRAM, 'content-type': 'multipart/form-data' }), 400],
    ['another boundary', () => post('--y\r\n\r\n--y--\r\n', multipart), 400],
    ['cut off in a header', () => post('--x\r\nContent-Dispo', multipart), 400],
    [
      'cut off in a file',
      () =>
        post('--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\nabc', multipart),
      400,
    ],
    ['a text that is not UTF-8', () => post(NOT_UTF8, multipart), 400],
    ['an empty body', () => post('', multipart), 400],
    ['an unknown form', () => post(aPost({ photo: [PNG, 'a.png'] }), PROGRAM, 'nobody'), 404],
  ]
  for (const [what, run, status] of cases) {
    await t.test(`${what}: ${status}`, async () => {
      const response = await run()
      assert.equal(response.status, status)
      assert.deepEqual(await filesOnDisk(), [])
    })
  }
})

// On a connection of its own: a kept one may end while `fetch` copies the body.
async function postLarge(port: number, mebibytes: number): Promise<{ status: number | undefined }> {
  const head = '--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const length = head.length + mebibytes * MIB + tail.length
  const headers = { ...PROGRAM, 'content-type': 'multipart/form-data; boundary=x', 'content-length': length }
  const path = '/api/forms/job/submissions'
  const outgoing = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent: false })
  Readable.from([head, ...Array.from({ length: mebibytes }, () => Buffer.alloc(MIB)), tail]).pipe(outgoing)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  await response.resume().toArray()
  return { status: response.statusCode }
}

test('contract §6 a webhook receives the file’s details, with and without a template', async (t) => {
  const { app, post } = await startUploads(t)
  const receiver = await startReceiver(t)
  const form = await findForm(app.db, 'job')
  const template = { file: '{{photo}}', line: '{{full_name}} sent {{photo}}' }
  const hooks = [
    { name: 'plain', payload_template_json: null },
    { name: 'template', payload_template_json: JSON.stringify(template) },
  ]
  const fire_on_json = JSON.stringify({ field: 'photo', op: 'not_empty' })
  const rows = hooks.map((hook) => ({
    ...hook,
    form_id: form?.id as number,
    url: receiver.url,
    fire_on_json,
  }))
  await app.db.insertInto('form_webhooks').values(rows).execute()
  app.desk.invalidate()
  await post(aPost({ full_name: 'Bo' }))
  const { id } = await (await post(aPost({ full_name: 'Ann', photo: [PNG, 'a.png'] }))).json()
  const [upload] = await app.db.selectFrom('uploads').select('id').where('submission_id', '=', id).execute()
  const photo = { name: 'a.png', size: PNG.length, type: 'image/png', upload_id: upload?.id }
  const bodies = (await receiver.waitForRequests(2)).map(({ body }) => JSON.parse(body))
  assert.deepEqual(bodies.find(({ data }) => data)?.data.submission.answers.photo, photo)
  assert.deepEqual(
    bodies.find(({ line }) => line),
    { file: photo, line: 'Ann sent a.png' },
  )
})
