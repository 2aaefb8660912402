import { readFile } from 'node:fs/promises'
import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { findPictureById } from '#src/pictures/picture-store.ts'
import { findThumbnail, THUMBNAIL_WIDTHS, thumbnailsFolder } from '#src/pictures/thumbnails.ts'

/** A picture in a width of the admin, made when it is first asked for. */
export const GET: APIRoute = async (context) => {
  const { db, config, pictureFiles: files } = appOf(context)
  const width = readId(context.url.searchParams.get('width'))
  const picture = await findPictureById(db, readId(context.params.id))
  if (!picture || !THUMBNAIL_WIDTHS.includes(width)) return notFound(context)
  const folder = thumbnailsFolder(config.dataDir)
  const path = await findThumbnail(db, { files, folder }, { sha256: picture.sha256, width })
  if (path === undefined) return notFound(context)
  // The address changes with the picture. Signing out clears what the browser keeps.
  const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=31536000, immutable' }
  return new Response(new Uint8Array(await readFile(path)), { headers })
}
