import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, sendAnswer } from '../http/answer.ts'
import type { FormsEndpoint } from './forms-endpoint.ts'

interface AnswerForms {
  /** Answers a request whose handling threw. */
  fail(request: IncomingMessage, error: unknown): Promise<Answer>
}

/** Sends what `forms` answers. */
export function createFormsSender(forms: FormsEndpoint, { fail }: AnswerForms) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await forms.answer(request).catch((error) => fail(request, error))
    if (answer) sendAnswer(response, answer)
    else response.destroy()
  }
}
