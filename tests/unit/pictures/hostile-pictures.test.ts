import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { preparePicture } from '#src/pictures/prepare-picture.ts'
import { temporaryFolder } from '../../support/database.ts'

const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`

type Bytes = Buffer | Promise<Buffer>

const text = (content: string) => Buffer.from(content, 'latin1')
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex')
const padded = (start: Buffer) => Buffer.concat([start, Buffer.alloc(2_000, 1)])

function photo(format: 'jpeg' | 'png' | 'webp' | 'avif', size = 60): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: size, height: size, channels: 3, background: '#2f42a5', noise } as const
  return sharp({ create }).toFormat(format).toBuffer()
}

const halfOf = async (bytes: Promise<Buffer>) => (await bytes).subarray(0, (await bytes).length >> 1)

/** Openings of files that upload lists warn of, whatever their name says. */
const REFUSED: Record<string, () => Bytes> = {
  'SVG called .png': () => text(SVG),
  'SVG behind a comment': () => text(`<!-- ${'-'.repeat(200)} -->\n${SVG}`),
  'SVG with a document type': () => text(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG}`),
  'SVG in UTF-16': () => Buffer.from(`\ufeff${SVG}`, 'utf16le'),
  'compressed SVG': () => gzipSync(SVG),
  HTML: () => text(`<!doctype html>${SCRIPT}`),
  XHTML: () => text(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`),
  PDF: () => text('%PDF-1.7\n1 0 obj << /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>'),
  PostScript: () => text('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n(/etc/passwd) run'),
  'ImageMagick script': () => text('push graphic-context\nfill "url(https://example.com/|id)"'),
  ZIP: () => padded(hex('504b0304 14000000 0800')),
  RAR: () => padded(hex('526172211a070100')),
  'executable of Windows': () => padded(text('MZ')),
  'executable of Linux': () => padded(hex('7f454c46 02010100')),
  'Flash film': () => padded(text('FWS\x0a')),
  'GIF that is a script': () => text(`GIF89a/*${SCRIPT}*/=1;alert(1)`),
  TIFF: () => padded(hex('49492a00 08000000')),
  BMP: () => padded(text('BM')),
  'icon of Windows': () => padded(hex('00000100 0100')),
  'JPEG 2000': () => padded(hex('0000000c 6a502020 0d0a870a')),
  MP4: () => padded(text('\0\0\0\x18ftypmp42')),
  'shell script': () => text('#!/bin/sh\nid'),
  'JPEG start and a page': () => Buffer.concat([hex('ffd8ffe0 00104a46 49460001'), text(SCRIPT)]),
  'PNG start and a page': () => Buffer.concat([hex('89504e47 0d0a1a0a'), text(SCRIPT)]),
  'WebP start and a page': () => text(`RIFF\xff\xff\xff\x7fWEBPVP8 ${SCRIPT}`),
  'AVIF start and a page': () => text(`\0\0\0\x20ftypavif\0\0\0\0avifmif1${SCRIPT}`),
  'half a JPEG': () => halfOf(photo('jpeg')),
  'half a PNG': () => halfOf(photo('png')),
  'half a WebP': () => halfOf(photo('webp')),
  'half an AVIF': () => halfOf(photo('avif')),
}

async function prepare(folder: string, bytes: Buffer) {
  const path = join(folder, 'upload.png')
  writeFileSync(path, bytes)
  return preparePicture(path)
}

test('a file that isn’t a complete picture of a supported type is refused under any name', async (t) => {
  const folder = temporaryFolder(t)
  const taken: string[] = []
  for (const [name, bytes] of Object.entries(REFUSED))
    if ((await prepare(folder, await bytes())).kind !== 'refused') taken.push(name)
  assert.deepEqual(taken, [])
})

test('a polyglot picture is stored as its pixels only', async (t) => {
  const folder = temporaryFolder(t)
  const commented = sharp(await photo('jpeg')).withExif({ IFD0: { ImageDescription: SCRIPT } })
  const polyglots = [
    await commented.toBuffer(),
    Buffer.concat([await photo('jpeg'), text(SCRIPT), hex('504b0304')]),
    Buffer.concat([await photo('png'), text(`<?php ${SCRIPT}`)]),
    Buffer.concat([await photo('webp'), text(SCRIPT)]),
  ]
  for (const bytes of polyglots) {
    assert.match(bytes.toString('latin1'), /<script>/)
    const prepared = await prepare(folder, bytes)
    assert.ok(prepared.kind === 'prepared')
    assert.doesNotMatch(prepared.picture.bytes.toString('latin1'), /<script>|<\?php/)
  }
})
