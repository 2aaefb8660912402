import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, sendAnswer } from '../http/answer.ts'
import type { FormsEndpoint } from './forms-endpoint.ts'

const SUBMISSIONS = /^\/api\/forms\/[a-z0-9-]{1,80}\/submissions(?:\?|$)/
const NO_BODY = new Uint8Array()

/** The handler of @astrojs/node in `middleware` mode; `locals` are `App.Locals`. */
export type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: undefined,
  locals: object,
) => Promise<void>

interface AnswerForms {
  /** Answers a request whose handling threw. */
  fail(request: IncomingMessage, error: unknown): Promise<Answer>
  /** Takes posts through src/pages/api/forms; without it, they bypass Astro. */
  astroHandler?: AstroHandler | undefined
}

/** Sends the answers of `forms`. Astro's endpoint asks the same `forms`. */
export function createFormsSender(forms: FormsEndpoint, { fail, astroHandler }: AnswerForms) {
  const answering: FormsEndpoint = {
    answer: (request) => forms.answer(request).catch((error) => fail(request, error)),
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (astroHandler && isSubmission(request)) {
      // The endpoint reads Node's own request, so that uploads stream; Astro must not read it first.
      Reflect.set(request, 'body', NO_BODY)
      return astroHandler(request, response, undefined, { forms: answering, incoming: request })
    }
    const answer = await answering.answer(request)
    if (answer) sendAnswer(response, answer)
    else response.destroy()
  }
}

function isSubmission({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && SUBMISSIONS.test(url ?? '')
}
