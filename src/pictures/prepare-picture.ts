import type { Metadata, Sharp } from 'sharp'
import { readHead } from '../lib/files/read-head.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PictureBytes } from './picture.ts'

/** Maximum size of an uploaded picture. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024
/** More than any phone produces. A file of a few kilobytes can contain ten times as many. */
const MAX_PIXELS = 120_000_000
/** Pages show at most 1,600; the rest is for crops. */
const MAX_SIDE = 3_200
/** WebP allows 16,383 pixels in each direction. */
export const MOST_TIMES_AS_HIGH = 10
/** Also the limit for pictures in `content/pictures`. */
const MAX_STORED_BYTES = 15 * 1024 * 1024
const QUALITY = 88
const HEAD_BYTES = 4_096

const ENDINGS = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'webp',
} as const

/** Reason why a file can't be added to the library. */
export type PictureFault =
  | { code: 'upload_svg' }
  | { code: 'upload_heic' }
  | { code: 'upload_not_a_picture' }
  | { code: 'upload_broken' }
  | { code: 'upload_empty' }
  | { code: 'upload_too_large'; params: { megabytes: number } }
  | { code: 'upload_too_many_pixels'; params: { megapixels: number } }
  | { code: 'upload_too_high'; params: { times: number } }

export interface PreparedPicture extends PictureBytes {
  bytes: Buffer
  /** The file name's extension, such as `jpg`. */
  ending: string
}

/**
 * Converts an uploaded file: upright, at most 3,200 pixels long, and re-encoded, so that no location, camera, or
 * other metadata remains. Runs outside the event loop, one file at a time.
 */
export function preparePicture(
  path: string,
): Promise<{ kind: 'prepared'; picture: PreparedPicture } | { kind: 'refused'; fault: PictureFault }> {
  return oneAtATime(async () => {
    const sniffed = await sniff(path)
    if (typeof sniffed !== 'string') return { kind: 'refused', fault: sniffed }
    try {
      return await draw(path, sniffed)
    } catch {
      return { kind: 'refused', fault: { code: 'upload_broken' } }
    }
  })
}

type Kind = keyof typeof ENDINGS

// Only these types reach a decoder.
async function sniff(path: string): Promise<Kind | PictureFault> {
  const head = await readHead(path, HEAD_BYTES)
  if (head.length === 0) return { code: 'upload_empty' }
  const text = head.toString('latin1').replace(/^[\s\u00ef\u00bb\u00bf]+/, '')
  if (text.startsWith('<') && /<svg[\s>]/i.test(text)) return { code: 'upload_svg' }
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? ''
  if (/^image\/hei[cf]/.test(mime)) return { code: 'upload_heic' }
  return Object.hasOwn(ENDINGS, mime) ? (mime as Kind) : { code: 'upload_not_a_picture' }
}

async function draw(path: string, kind: Kind) {
  const { default: sharp } = await import('sharp')
  const fault = findFault(await sharp(path, { failOn: 'error', limitInputPixels: false }).metadata())
  if (fault) return { kind: 'refused' as const, fault }
  const upright = sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
  const first = await encode(upright.clone(), kind)
  const isTooLarge = first.data.length > MAX_STORED_BYTES
  const { data: bytes, info } = isTooLarge ? await encode(upright.clone(), 'image/webp') : first
  const ending = isTooLarge ? 'webp' : ENDINGS[kind]
  const { width, height } = info
  const picture = { bytes, ending, sha256: await hashOf(bytes), width, height, size: bytes.length }
  return { kind: 'prepared' as const, picture }
}

// Apart from the event loop, which 15 MB would hold for some milliseconds.
async function hashOf(bytes: Buffer<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

function findFault({ width, height, autoOrient }: Metadata): PictureFault | undefined {
  if (width * height > MAX_PIXELS)
    return { code: 'upload_too_many_pixels', params: { megapixels: MAX_PIXELS / 1_000_000 } }
  if (autoOrient.height > autoOrient.width * MOST_TIMES_AS_HIGH)
    return { code: 'upload_too_high', params: { times: MOST_TIMES_AS_HIGH } }
  return undefined
}

function encode(image: Sharp, kind: Kind) {
  switch (kind) {
    case 'image/jpeg':
      return image.jpeg({ quality: QUALITY }).toBuffer({ resolveWithObject: true })
    case 'image/png':
      return image.png().toBuffer({ resolveWithObject: true })
    default:
      return image.webp({ quality: QUALITY }).toBuffer({ resolveWithObject: true })
  }
}
