import { readFile } from 'node:fs/promises'
import type { APIContext } from 'astro'
import { findThumbnail, thumbnailsFolder } from '../../pictures/thumbnails.ts'
import { appOf, notFound } from '../kit/page-context.ts'

/** Responds with a thumbnail, making it on first use; 404 if its bytes are missing. */
export async function answerThumbnail(
  context: Pick<APIContext, 'locals' | 'rewrite' | 'request' | 'url'>,
  picture: { sha256: string; width: number },
): Promise<Response> {
  const { db, config, pictureFiles: files } = appOf(context)
  const folder = thumbnailsFolder(config.dataDir)
  const path = await findThumbnail(db, { files, folder }, picture)
  if (path === undefined) return notFound(context)
  // The URL changes with the picture. Signing out clears the browser's cache.
  const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=31536000, immutable' }
  return new Response(new Uint8Array(await readFile(path)), { headers })
}
