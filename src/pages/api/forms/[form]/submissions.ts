import type { APIRoute } from 'astro'
import { toResponse } from '#src/server/http/answer.ts'

/**
 * Accepts a submission (contract §5). `npm start` answers these posts itself, with the same code and without Astro.
 */
export const POST: APIRoute = async ({ locals: { forms, incoming } }) => {
  const answer = await forms.answer(incoming)
  // The client has disconnected.
  return answer ? toResponse(answer) : new Response(null, { status: 400 })
}
