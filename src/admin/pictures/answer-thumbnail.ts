import { readFile } from 'node:fs/promises'
import type { APIContext } from 'astro'
import { findThumbnail, thumbnailsFolder } from '../../pictures/thumbnails.ts'
import { appOf, notFound } from '../kit/page-context.ts'

/** Answers with a picture in a width of the admin, made when it is first asked for; 404 where its bytes are gone. */
export async function answerThumbnail(
  context: Pick<APIContext, 'locals' | 'rewrite' | 'request' | 'url'>,
  picture: { sha256: string; width: number },
): Promise<Response> {
  const { db, config, pictureFiles: files } = appOf(context)
  const folder = thumbnailsFolder(config.dataDir)
  const path = await findThumbnail(db, { files, folder }, picture)
  if (path === undefined) return notFound(context)
  // The address changes with the picture. Signing out clears what the browser keeps.
  const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=31536000, immutable' }
  return new Response(new Uint8Array(await readFile(path)), { headers })
}
