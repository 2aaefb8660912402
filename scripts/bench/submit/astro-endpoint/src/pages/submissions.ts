import type { APIRoute } from 'astro'

/** Reads the body and answers immediately, to measure Astro alone. */
export const POST: APIRoute = async ({ request }) => {
  await request.json()
  return new Response('{"id":1}', { status: 201, headers: { 'content-type': 'application/json' } })
}
