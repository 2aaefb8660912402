import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { aPost, collect, MIB, PNG, PROGRAM, startUploads } from '../../support/uploads.ts'

const JSON_TYPE = { ...PROGRAM, 'content-type': 'application/json' }
const FORM_TYPE = { ...PROGRAM, 'content-type': 'application/x-www-form-urlencoded' }
const PARTS_TYPE = { ...PROGRAM, 'content-type': 'multipart/form-data; boundary=x' }

function part(headers: string, content: string) {
  return `--x\r\n${headers}\r\n\r\n${content}\r\n`
}

const text = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)

const END = '--x--\r\n'

// What is sent, as what, and how it is answered; `stored` is the name that is kept of a post that was taken.
const CASES: [
  what: string,
  body: string | Blob,
  headers: Record<string, string>,
  status: number,
  stored?: unknown,
][] = [
  ['names of the prototype', '{"__proto__":{"x":1}}', JSON_TYPE, 400],
  ['__proto__ as a text', '{"__proto__":"x","full_name":"A"}', JSON_TYPE, 201, 'A'],
  ['constructor and toString', 'constructor=1&toString=2&full_name=A&hasOwnProperty=3', FORM_TYPE, 201, 'A'],
  ['__proto__ as a part', text('__proto__', 'x') + text('full_name', 'A') + END, PARTS_TYPE, 201, 'A'],
  ['a name twice', 'full_name=A&full_name=B', FORM_TYPE, 422],
  ['a name twice in JSON: the last counts', '{"full_name":"A","full_name":"B"}', JSON_TYPE, 201, 'B'],
  ['a list for a text', '{"full_name":["A","B"]}', JSON_TYPE, 422],
  ['an object for a text', '{"full_name":{"a":1}}', JSON_TYPE, 400],
  ['deep JSON', '['.repeat(20_000) + ']'.repeat(20_000), JSON_TYPE, 400],
  ['deep JSON inside', `{"full_name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, JSON_TYPE, 400],
  ['10,000 fields', Array.from({ length: 10_000 }, (_, i) => `a${i}=`).join('&'), FORM_TYPE, 413],
  ['5,000 fields', Array.from({ length: 5_000 }, (_, i) => `a${i}=`).join('&'), FORM_TYPE, 413],
  ['501 parts', text('a', 'b').repeat(501) + END, PARTS_TYPE, 413],
  [
    '5,000 names in JSON',
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a${i}`, 1]))),
    JSON_TYPE,
    413,
  ],
  ['64 KB in one field', `full_name=${'a'.repeat(64 * 1024 - 10)}`, FORM_TYPE, 201],
  ['a byte more', `full_name=${'a'.repeat(64 * 1024 - 9)}`, FORM_TYPE, 413],
  ['a byte-order mark', '\ufeff{"full_name":"A"}', JSON_TYPE, 201, 'A'],
  ['half a surrogate pair', '{"full_name":"a\\ud83d"}', JSON_TYPE, 422],
  ['a NUL', '{"full_name":"a\\u0000"}', JSON_TYPE, 422],
  ['text that runs the other way', 'full_name=%D8%B9%D9%84%D9%8A', FORM_TYPE, 201, 'علي'],
  ['a mark of its own after a letter: composed', 'full_name=e%CC%81', FORM_TYPE, 201, 'é'],
  ['control characters and line breaks', 'full_name=ab%0D%0Ac%1B', FORM_TYPE, 201, 'ab c'],
  ['a percent sign alone', 'full_name=100%', FORM_TYPE, 201, '100%'],
  ['bytes that are no UTF-8', 'full_name=%ff', FORM_TYPE, 400],
  [
    'charset=UTF-8, quoted',
    '{"full_name":"A"}',
    { ...JSON_TYPE, 'content-type': 'application/json; charset="UTF-8"' },
    201,
    'A',
  ],
  [
    'another charset',
    'full_name=A',
    { ...PROGRAM, 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
    415,
  ],
  ['no type', new Blob(['full_name=A']), PROGRAM, 415],
  ['text/plain', 'full_name=A', { ...PROGRAM, 'content-type': 'text/plain' }, 415],
  ['a type that only begins right', '{}', { ...PROGRAM, 'content-type': 'application/jsonp' }, 415],
  [
    'a compressed body',
    new Blob([gzipSync('{"full_name":"A"}')]),
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    415,
  ],
  [
    'a compressed multipart body',
    new Blob([gzipSync(text('full_name', 'A') + END)]),
    { ...PARTS_TYPE, 'content-encoding': 'deflate' },
    415,
  ],
  [
    'a body that is not compressed and says so',
    'full_name=A',
    { ...FORM_TYPE, 'content-encoding': 'identity' },
    201,
    'A',
  ],
  ['text before the first part', `preamble\r\n${text('full_name', 'A')}${END}`, PARTS_TYPE, 201, 'A'],
  [
    'text after the last',
    `${text('full_name', 'A')}${END}epilogue${text('full_name', 'B')}`,
    PARTS_TYPE,
    201,
    'A',
  ],
  [
    'a part without a name',
    part('Content-Disposition: form-data', 'x') + text('full_name', 'A') + END,
    PARTS_TYPE,
    201,
    'A',
  ],
  [
    'a part without a disposition',
    part('X-Nothing: 1', 'x') + text('full_name', 'A') + END,
    PARTS_TYPE,
    201,
    'A',
  ],
  ['a part header of 9 KB', part(`X-Long: ${'a'.repeat(9_000)}`, 'x') + END, PARTS_TYPE, 422],
  [
    'parts within a part',
    part(
      'Content-Disposition: form-data; name="full_name"\r\nContent-Type: multipart/mixed; boundary=y',
      '--y\r\n\r\nB\r\n--y--',
    ) + END,
    PARTS_TYPE,
    201,
  ],
  [
    'a boundary of 5,000 characters',
    '--x--',
    { ...PROGRAM, 'content-type': `multipart/form-data; boundary=${'b'.repeat(5_000)}` },
    400,
  ],
]

test('contract §5 malicious posts get a plain response and leave nothing behind', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t)
  for (const [what, body, headers, status, stored] of CASES) {
    await t.test(`${what}: ${status}`, async () => {
      const response = await post(body, headers)
      const answer = await response.json()
      assert.equal(response.status, status, JSON.stringify(answer))
      if (stored === undefined) return
      const { answers } = (await findSubmission(app.db, answer.id, EVERY_LEAD)) ?? {}
      assert.deepEqual(answers, { full_name: stored, photo: null, notes: null })
    })
  }
  assert.deepEqual(await filesOnDisk(), [])
})

// One entry of a ZIP, as the head of a file that goes on with `data`.
function zipEntry(name: string, data: Buffer, { method = 8, size = data.length, flags = 0 } = {}) {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt32LE(crc32(data), 14)
  head.writeUInt32LE(data.length, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), data])
}

test('§2.2 malicious files are refused or stored under their real type', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t)
  const bomb = deflateRawSync(Buffer.alloc(200 * MIB, ' '), { level: 9 })
  const refused: [string, Buffer | string, string][] = [
    ['a sheet that unpacks to 200 MB', zipEntry('[Content_Types].xml', bomb, { size: 200 * MIB }), 'a.xlsx'],
    ['… and says that it is small', zipEntry('[Content_Types].xml', bomb, { size: 100 }), 'a.xlsx'],
    ['… or not how large', zipEntry('[Content_Types].xml', bomb, { flags: 8, size: 0 }), 'a.docx'],
    [
      '50,000 empty entries',
      Buffer.concat(
        Array.from({ length: 50_000 }, (_, i) => zipEntry(`a${i}`, Buffer.alloc(0), { method: 0 })),
      ),
      'a.xlsx',
    ],
    [
      'a picture that is a page too',
      Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]),
      'a.html',
    ],
    ['a page that claims to be a picture', Buffer.from('<html>'), 'a.png'],
    ['a text of another kind', 'GIF89a<script>', 'a.txt'],
    ['a script with a byte-order mark', '\ufeff#!/bin/sh', 'a.txt'],
    ['an empty name with an extension that is none', PNG, '.'],
  ]
  for (const [what, bytes, name] of refused) {
    await t.test(what, async () => {
      const before = process.memoryUsage().rss
      const response = await post(aPost({ full_name: 'A', notes: [bytes, name] }))
      if (name === '.' || name === 'a.txt') return assert.ok(response.status < 500)
      assert.equal(response.status, 422, await response.text())
      assert.ok(process.memoryUsage().rss - before < 150 * MIB, 'memory')
      assert.deepEqual(await filesOnDisk(), [])
    })
  }

  await t.test('file names never become paths, and are short and printable', async () => {
    const names = [
      '../../etc/passwd.png',
      '..\\..\\a.png',
      '/etc/a.png',
      `${'x'.repeat(5_000)}.png`,
      'a\u202egnp.exe.png',
      'C:\\x\\a.png',
    ]
    for (const name of names) {
      const response = await post(aPost({ full_name: 'A', photo: [PNG, name] }))
      assert.equal(response.status, 201, name)
      const { answers } = (await findSubmission(app.db, (await response.json()).id, EVERY_LEAD)) ?? {}
      const { name: stored = '' } = (answers?.photo ?? {}) as { name?: string }
      assert.match(stored, /^[^/\\\u202e]{1,120}$/)
      assert.ok(stored.endsWith('.png'))
    }
    for (const path of await filesOnDisk()) assert.match(path, /\/uploads\/[0-9a-f]{32}\/1$/)
  })

  await t.test('a file name with a NUL', async () => {
    const disposition = 'Content-Disposition: form-data; name="photo"; filename="a.png\0.exe"'
    const body = new Blob([text('full_name', 'A'), `--x\r\n${disposition}\r\n\r\n`, PNG, `\r\n${END}`])
    const response = await post(body, PARTS_TYPE)
    assert.ok([201, 400, 422].includes(response.status), String(response.status))
  })
})

test('contract §5 the same `_id` with different content or at the same moment is stored once', async (t) => {
  const { app, post, filesOnDisk } = await startUploads(t)
  const _id = '0198c3e0-7a3b-7c5d-9e1f-2a3b4c5d6e7f'
  const answers = await Promise.all(
    ['A', 'B', 'C', 'D'].map((name) => post(aPost({ _id, full_name: name, photo: [PNG, `${name}.png`] }))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  const again = await post(aPost({ _id, full_name: '', photo: ['no picture', 'x.png'] }))
  assert.equal(again.status, 200)
  assert.equal((await app.db.selectFrom('form_submissions').select('id').execute()).length, 1)
  assert.equal((await filesOnDisk()).length, 1)
})

test('a body with a missing or wrong length is read only up to its limit', async (t) => {
  const { port } = await startUploads(t)
  const head = (more: string) =>
    `POST /api/forms/job/submissions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
  const cases: [string, string, RegExp][] = [
    [
      'chunked, without an end',
      `${head('Transfer-Encoding: chunked')}10000\r\n${'a'.repeat(65_536)}\r\n10000\r\n${'a'.repeat(65_536)}\r\n`,
      /^HTTP\/1\.1 413 /,
    ],
    [
      'both length and chunks',
      `${head('Content-Length: 5\r\nTransfer-Encoding: chunked')}0\r\n\r\n`,
      /^HTTP\/1\.1 400 /,
    ],
    ['two lengths', `${head('Content-Length: 5\r\nContent-Length: 6')}{"a":1}`, /^HTTP\/1\.1 400 /],
    ['a length that is too large', `${head('Content-Length: 99999999')}{`, /^HTTP\/1\.1 413 /],
  ]
  // Side by side: each is given time to read the answer.
  const answers = cases.map(async ([what, bytes, status]) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(bytes)
    assert.match(await collect(socket), status, what)
  })
  await Promise.all(answers)
})
