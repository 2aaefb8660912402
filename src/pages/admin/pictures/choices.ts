import type { APIRoute } from 'astro'
import { appOf } from '#src/admin/kit/page-context.ts'
import { imagePath, readLibraryQuery } from '#src/admin/pictures/library-query.ts'
import { listLibrary } from '#src/pictures/library-store.ts'

const CHOICES = 24

/** The newest pictures that a search finds, for the choice of one in an editor. */
export const GET: APIRoute = async (context) => {
  const { db } = appOf(context)
  const query = await readLibraryQuery(db, context.url.searchParams)
  const pictures = await listLibrary(db, query, { limit: CHOICES, offset: 0 })
  return Response.json(pictures.map((picture) => ({ name: picture.name, image: imagePath(picture) })))
}
