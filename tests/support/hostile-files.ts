import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { aBomb, aPhoto, pngChunk } from './photos.ts'

/** Part of every payload. A stored picture must not contain it. */
export const PAYLOAD = 'alert(1337)'
const SCRIPT = `<script>${PAYLOAD}</script>`
const PHP = `<?php system($_GET["c"]); /* ${PAYLOAD} */ ?>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${PAYLOAD}">${SCRIPT}</svg>`
const PNG_SIGNATURE_AND_IHDR_BYTES = 8 + 25
const MIB = 1024 * 1024

/** A file that someone may send, with the code of its refusal; `stored` if it becomes a harmless picture. */
export interface HostileFile {
  name: string
  bytes: Buffer
  outcome: string
}

/** Makes the hostile uploads of public lists: polyglots, renamed files, bombs, damaged files, and names. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const photo = await aPhoto({ width: 60, height: 40 })
  const png = await sharp(photo).png().toBuffer()
  const webp = await sharp(photo).webp().toBuffer()
  const avif = await sharp(photo).avif().toBuffer()
  const file = (outcome: string) => (name: string, bytes: Buffer | string) => ({
    ...{ name, outcome, bytes: Buffer.from(bytes as string) },
  })
  const [noPicture, broken, svg, tooMany, stored] = [
    ...['upload_not_a_picture', 'upload_broken', 'upload_svg', 'upload_too_many_pixels', 'stored'].map(file),
  ] as [Make, Make, Make, Make, Make]
  return [
    noPicture('gif-and-script.gif', `GIF89a/*${'\0'.repeat(20)}*/=1;${PAYLOAD}`),
    noPicture('bmp-and-script.bmp', `BM/*${'\0'.repeat(20)}*/=1;${PAYLOAD}`),
    noPicture('page.jpg', `<!doctype html>${SCRIPT}`),
    noPicture('document.pdf.png', `%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${PAYLOAD})>>>>endobj`),
    noPicture('postscript.jpg', '%!PS\n(%pipe%id) (w) file'),
    noPicture('imagetragick.png', `push graphic-context\nfill 'url(https://127.0.0.1/"|id;${PAYLOAD})'`),
    noPicture('shell.php.jpg', PHP),
    noPicture('rules.htaccess', 'AddType application/x-httpd-php .jpg'),
    noPicture('program.exe.png', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')),
    noPicture('archive.jpg', Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')),
    noPicture('drawing.svgz', gzipSync(SVG)),
    noPicture('scan.tif', Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1')),
    noPicture('photoshop.psd', Buffer.from('8BPS\0\x01\0\0\0\0\0\0', 'latin1')),
    noPicture('100000-frames.gif', gif({ width: 16, height: 16, frames: 100_000 })),
    noPicture('65535-by-65535.gif', gif({ width: 65_535, height: 65_535, frames: 1 })),
    svg('drawing.svg', SVG),
    svg('renamed-drawing.png', SVG),
    svg('drawing-with-bom.jpg', `\ufeff<?xml version="1.0"?>${SVG}`),
    svg(
      'entities.svg',
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG}`,
    ),
    file('upload_empty')('empty.png', ''),
    noPicture('one-byte.jpg', '\xff'),
    broken('signature.png', png.subarray(0, PNG_SIGNATURE_AND_IHDR_BYTES)),
    broken('cut.jpg', photo.subarray(0, photo.length * 0.6)),
    broken('cut.png', png.subarray(0, png.length * 0.6)),
    broken('cut.webp', webp.subarray(0, webp.length * 0.6)),
    broken('cut.avif', avif.subarray(0, avif.length * 0.6)),
    broken('noise.jpg', Buffer.concat([photo.subarray(0, 20), Buffer.alloc(5_000, 0xa5)])),
    tooMany('lottapixel.jpg', jpegOfSize(photo, 64_250)),
    tooMany('spark.png', aBomb(65_500, 65_500)),
    tooMany('16383-by-16383.webp', webpOfSize(webp, 16_383)),
    tooMany('65535-by-65535.avif', avifOfSize(avif, 65_535)),
    stored('100-megapixels.png', whitePng(10_000)),
    stored('more-rows-than-said.png', withLongRows(png)),
    stored('profile-bomb.png', withChunk(png, 'iCCP', inflating('icc', 64 * MIB))),
    stored('text-bomb.png', withChunk(png, 'zTXt', inflating('Comment', 64 * MIB))),
    stored('php-in-text.png', withChunk(png, 'tEXt', Buffer.from(`Comment\0${PHP}`))),
    stored('php-in-exif.php.jpg', await withExif(PHP)),
    stored('jpeg-and-page.jpg', withComment(photo, `*/ --><body>${SCRIPT}<!--`)),
    stored('jpeg-and-zip.jpg', Buffer.concat([photo, Buffer.from(`PK\x03\x04${PAYLOAD}`)])),
    stored('png-and-page.html', Buffer.concat([png, Buffer.from(SCRIPT)])),
    ...(await Promise.all(
      // Each has pixels of its own, so that each is stored under its name.
      NAMES.map(async (name, index) => stored(name, await aPhoto({ width: 61 + index, height: 40 }))),
    )),
  ]
}

type Make = (name: string, bytes: Buffer | string) => HostileFile

const NAMES = [
  '../../../etc/cron.d/x.png',
  '..\\..\\web.config',
  '%2e%2e%2fx.png',
  'x.php%00.jpg',
  'x.php\0.jpg',
  'photo\u202egnp.exe',
  '<img src=x onerror=alert(1)>.jpg',
  "'; drop table library_pictures; --.jpg",
  '.htaccess',
  'CON.jpg',
  '',
  `${'a'.repeat(5_000)}.jpg`,
]

function gif({ width, height, frames }: { width: number; height: number; frames: number }): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const colors = Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    colors,
    Buffer.alloc(frames * 15, frame),
    Buffer.from(';'),
  ])
}

// The frame header has the height and width, two bytes each.
function jpegOfSize(photo: Buffer, side: number): Buffer {
  const bytes = Buffer.from(photo)
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11]))
  bytes.writeUInt16BE(side, frame + 5)
  bytes.writeUInt16BE(side, frame + 7)
  return bytes
}

function webpOfSize(webp: Buffer, side: number): Buffer {
  const bytes = Buffer.from(webp)
  const start = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  bytes.writeUInt16LE(side, start + 3)
  bytes.writeUInt16LE(side, start + 5)
  return bytes
}

function avifOfSize(avif: Buffer, side: number): Buffer {
  const bytes = Buffer.from(avif)
  const box = bytes.indexOf('ispe')
  bytes.writeUInt32BE(side, box + 8)
  bytes.writeUInt32BE(side, box + 12)
  return bytes
}

function whitePng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function withLongRows(png: Buffer): Buffer {
  const header = png.subarray(0, PNG_SIGNATURE_AND_IHDR_BYTES)
  const rows = pngChunk('IDAT', deflateSync(Buffer.alloc(64 * MIB)))
  return Buffer.concat([header, rows, pngChunk('IEND', Buffer.alloc(0))])
}

function withChunk(png: Buffer, type: string, bytes: Buffer): Buffer {
  const at = PNG_SIGNATURE_AND_IHDR_BYTES
  return Buffer.concat([png.subarray(0, at), pngChunk(type, bytes), png.subarray(at)])
}

// A keyword, the method of compression, and zeros.
function inflating(keyword: string, size: number): Buffer {
  return Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(Buffer.alloc(size))])
}

function withComment(photo: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  return Buffer.concat([
    photo.subarray(0, 2),
    Buffer.from([0xff, 0xfe]),
    length,
    Buffer.from(text),
    photo.subarray(2),
  ])
}

function withExif(text: string): Promise<Buffer> {
  const create = { width: 60, height: 40, channels: 3, background: '#2f42a5' } as const
  return sharp({ create })
    .withExif({ IFD0: { ImageDescription: text, Copyright: text } })
    .jpeg()
    .toBuffer()
}
