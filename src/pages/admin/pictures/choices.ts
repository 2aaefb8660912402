import type { APIRoute } from 'astro'
import { toPictureOption } from '#src/admin/editing/pictures/picture-option.ts'
import { appOf } from '#src/admin/kit/page-context.ts'
import { readChoiceQuery } from '#src/admin/pictures/library-query.ts'
import { listLibrary, listTags } from '#src/pictures/library-store.ts'

const CHOICES = 24

/** Returns the newest pictures that match a search, for the picture dialog. */
export const GET: APIRoute = async (context) => {
  const { db } = appOf(context)
  const query = readChoiceQuery(context.url.searchParams)
  const found = await listLibrary(db, query, { limit: CHOICES + 1, offset: (query.page - 1) * CHOICES })
  return Response.json({
    pictures: found.slice(0, CHOICES).map(toPictureOption),
    tags: await listTags(db),
    hasMore: found.length > CHOICES,
  })
}
