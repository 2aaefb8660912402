import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { answerThumbnail } from '#src/admin/pictures/answer-thumbnail.ts'
import { THUMBNAIL_WIDTHS } from '#src/pictures/thumbnails.ts'
import { findTrashed } from '#src/versions/trash-store.ts'

/** Serves the thumbnail of a picture in the trash. */
export const GET: APIRoute = async (context) => {
  const found = await findTrashed(appOf(context).db, readId(context.params.id))
  if (found?.trashed.subject.kind !== 'picture') return notFound(context)
  return answerThumbnail(context, { sha256: found.trashed.typeSlug, width: Math.min(...THUMBNAIL_WIDTHS) })
}
