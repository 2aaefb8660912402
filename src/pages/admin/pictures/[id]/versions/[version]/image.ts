import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { answerThumbnail } from '#src/admin/pictures/answer-thumbnail.ts'
import { type PictureSnapshot, pictureSubject } from '#src/pictures/picture-history.ts'
import { THUMBNAIL_WIDTHS } from '#src/pictures/thumbnails.ts'
import { findVersion } from '#src/versions/version-store.ts'

/** Serves the thumbnail of a version of a picture. */
export const GET: APIRoute = async (context) => {
  const { id, version } = context.params
  const found = await findVersion(appOf(context).db, pictureSubject(readId(id)), readId(version))
  if (!found) return notFound(context)
  const { sha256 } = found.content as PictureSnapshot
  return answerThumbnail(context, { sha256, width: Math.min(...THUMBNAIL_WIDTHS) })
}
