import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { answerThumbnail } from '#src/admin/pictures/answer-thumbnail.ts'
import { findPictureById } from '#src/pictures/picture-store.ts'
import { THUMBNAIL_WIDTHS } from '#src/pictures/thumbnails.ts'

/** Serves a picture's thumbnail, making it on first use. */
export const GET: APIRoute = async (context) => {
  const width = readId(context.url.searchParams.get('width'))
  const picture = await findPictureById(appOf(context).db, readId(context.params.id))
  if (!picture || !THUMBNAIL_WIDTHS.includes(width)) return notFound(context)
  return answerThumbnail(context, { sha256: picture.sha256, width })
}
