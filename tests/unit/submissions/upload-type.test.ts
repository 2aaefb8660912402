import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectUploadType } from '#src/submissions/uploads/upload-type.ts'
import { temporaryFolder } from '../../support/database.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const LONG = 64 * 1024

const CASES: [what: string, name: string, bytes: string | Buffer, type: string | null][] = [
  ['a text', 'a.txt', 'Grüße', 'text/plain'],
  ['an empty text', 'a.txt', '', 'text/plain'],
  ['a table', 'a.csv', 'a,b\n<1,2', 'text/csv'],
  ['a character on the border of two chunks', 'a.txt', `${'x'.repeat(LONG - 1)}ü`, 'text/plain'],
  ['a text that is not UTF-8', 'a.txt', Buffer.from([0x47, 0xfc]), null],
  ['a text that ends within a character', 'a.txt', Buffer.from([0x47, 0xc3]), null],
  ['a NUL in a text', 'a.txt', 'a\0b', null],
  ['a NUL far into a text', 'a.txt', `${'x'.repeat(LONG)}\0`, null],
  ['a page', 'a.txt', ' \n<!doctype html>', null],
  ['a page behind a mark', 'a.md', '\ufeff<HTML>', null],
  ['a script', 'a.txt', '#!/bin/sh', null],
  ['markup far into a text', 'a.txt', `${'x'.repeat(LONG)}<b>`, 'text/plain'],
  ['a picture', 'a.png', PNG, 'image/png'],
  ['a picture under the name of another', 'a.jpg', PNG, 'image/png'],
  ['a picture without an extension', 'photo', PNG, 'image/png'],
  ['a picture as a document', 'a.pdf', PNG, null],
  ['a picture as a text', 'a.txt', PNG, null],
  ['bytes that are nothing', 'a.png', 'hello', null],
]

for (const [what, name, bytes, type] of CASES)
  test(`an upload of ${what} (${name}) is ${type ?? 'refused'}`, async (t) => {
    const path = join(temporaryFolder(t), '1')
    await writeFile(path, bytes)
    assert.equal(await detectUploadType(path, name), type)
  })

test('an unreadable file is a failure, not a type', async (t) => {
  await assert.rejects(detectUploadType(join(temporaryFolder(t), 'none'), 'a.txt'), { code: 'ENOENT' })
})
