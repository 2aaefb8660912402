import type { APIRoute } from 'astro'
import { toResponse } from '#src/server/http/answer.ts'

/** Takes a submission (contract §5): what `npm start` answers on its own, with the same code, when there is no Astro to ask. */
export const POST: APIRoute = async ({ locals: { forms, incoming } }) => {
  const answer = await forms.answer(incoming)
  // The client is gone.
  return answer ? toResponse(answer) : new Response(null, { status: 400 })
}
