import type { APIContext } from 'astro'

/** The admin's page for what does not exist, also after the posted form was read. */
export function notFound({
  rewrite,
  request,
  url,
}: Pick<APIContext, 'rewrite' | 'request' | 'url'>): Promise<Response> {
  return rewrite(new Request(new URL('/admin/not-found', url), { headers: request.headers }))
}
