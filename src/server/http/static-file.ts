import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { cacheControlOf, contentTypeOf } from '../../lib/files/public-file.ts'
import { parseTagPolicy } from '../../site/tags/tag-policy.ts'
import { pagePolicy } from './security-headers.ts'

// As src/components/site/places/LocalCard.astro writes it.
const MAP_FRAME = '<iframe name="map"'

// As src/components/site/Head.astro writes it: what the site's tags may load. Content is escaped, so no text can be mistaken
// for it.
const TAG_POLICY = '<meta name="tag-policy"'
const TAGS = /<meta name="tag-policy" content="([^"]*)">/

/** A file of a release with the headers of its answer. */
export interface StaticFile {
  bytes: Buffer
  headers: { 'content-type': string; 'content-length': number; 'cache-control': string; etag: string }
  /** True if visitors open it. */
  isPage: boolean
  /** Replaces the policy of all other responses. */
  policy: { 'content-security-policy'?: string }
}

/** The file at this path on disk; undefined if there is none. */
export async function readStaticFile(path: string): Promise<StaticFile | undefined> {
  try {
    return asFile(path, await readFile(path))
  } catch (error) {
    if (
      ['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(String((error as NodeJS.ErrnoException).code))
    )
      return undefined
    throw error
  }
}

/** A file with these bytes and the media type of its path. */
export function asFile(path: string, bytes: Buffer | undefined): StaticFile | undefined {
  return (
    bytes && {
      bytes,
      headers: headersFor(path, bytes),
      isPage: extname(path) === '.html',
      policy: policyFor(path, bytes),
    }
  )
}

function policyFor(path: string, bytes: Buffer): StaticFile['policy'] {
  if (extname(path) !== '.html') return {}
  const hasMap = bytes.includes(MAP_FRAME)
  const [, tags] = (bytes.includes(TAG_POLICY) && TAGS.exec(bytes.toString())) || []
  if (!hasMap && tags === undefined) return {}
  return { 'content-security-policy': pagePolicy({ hasMap, tags: parseTagPolicy(tags ?? '') }) }
}

function headersFor(path: string, bytes: Buffer): StaticFile['headers'] {
  return {
    'content-type': contentTypeOf(path),
    'content-length': bytes.length,
    'cache-control': cacheControlOf(path),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  }
}
