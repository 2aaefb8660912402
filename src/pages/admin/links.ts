import type { APIRoute } from 'astro'
import { findLinkOptions } from '#src/admin/editing/links/find-link-options.ts'
import { appOf } from '#src/admin/kit/page-context.ts'

/** Returns pages of the site whose names match a search, for the link dialog. */
export const GET: APIRoute = async (context) => {
  const { db } = appOf(context)
  return Response.json(await findLinkOptions(db, context.url.searchParams.get('q') ?? ''))
}
