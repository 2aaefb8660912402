import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { answerThumbnail } from '#src/admin/pictures/answer-thumbnail.ts'
import { listVersions } from '#src/pictures/picture-store.ts'
import { THUMBNAIL_WIDTHS } from '#src/pictures/thumbnails.ts'

/** Serves the thumbnail of an earlier version of a picture. */
export const GET: APIRoute = async (context) => {
  const { id, version } = context.params
  const found = (await listVersions(appOf(context).db, readId(id))).find((one) => one.id === readId(version))
  if (!found) return notFound(context)
  return answerThumbnail(context, { sha256: found.sha256, width: Math.min(...THUMBNAIL_WIDTHS) })
}
