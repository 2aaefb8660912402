import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app.ts'
import { findForm } from '../forms/form-store.ts'
import { toPublicForm } from '../forms/public-definition.ts'
import { readFormBody } from '../submissions/read-form-body.ts'
import { createAnswers, type PageRenderer } from './form-answers.ts'
import { readRequestBody } from './request-body.ts'

const MAX_BODY_BYTES = 64 * 1024
const FORM_PATH = /^\/api\/forms\/([a-z0-9-]{1,80})(\/submissions)?$/

export interface FormsEndpoint {
  /** Answers everything below `/api/forms/` (contract §5). */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function createFormsEndpoint(app: App, renderPage: PageRenderer): FormsEndpoint {
  const answers = createAnswers(app, renderPage)

  async function takeSubmission(request: IncomingMessage, response: ServerResponse, slug: string) {
    const received = await readRequestBody(request, MAX_BODY_BYTES)
    if (received.kind === 'aborted') return response.destroy()
    if (received.kind === 'too_large') return answers.refuse(request, response, TOO_LARGE)
    const read = readFormBody(received.bytes, request.headers['content-type'])
    if (read.kind === 'unsupported_type') return answers.refuse(request, response, UNSUPPORTED)
    if (read.kind === 'unreadable')
      return answers.refuse(request, response, { ...UNREADABLE, text: read.reason })
    const outcome = await app.desk.accept(slug, read.body)
    return answers.outcome(request, response, outcome)
  }

  async function showForm(request: IncomingMessage, response: ServerResponse, slug: string) {
    const form = await findForm(app.db, slug)
    if (form?.status !== 'active') {
      return answers.outcome(request, response, { kind: form?.status === 'archived' ? 'gone' : 'not_found' })
    }
    return answers.json(response, 200, toPublicForm(form))
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const [, slug, submissions] = FORM_PATH.exec(request.url?.split('?')[0] ?? '') ?? []
    if (slug === undefined) return answers.outcome(request, response, { kind: 'not_found' })
    const isPost = request.method === 'POST'
    if (isPost !== (submissions !== undefined)) {
      return answers.wrongMethod(request, response, submissions ? 'POST' : 'GET, HEAD')
    }
    return isPost ? takeSubmission(request, response, slug) : showForm(request, response, slug)
  }

  return {
    async answer(request, response) {
      await answer(request, response)
    },
  }
}

const TOO_LARGE = {
  status: 413,
  title: 'That is too much text',
  text: `A form may send at most ${MAX_BODY_BYTES / 1024} KB. Please shorten your answers and send it again.`,
}

const UNSUPPORTED = {
  status: 415,
  title: 'This form cannot read that',
  text: 'Send application/x-www-form-urlencoded or application/json, in UTF-8.',
}

const UNREADABLE = { status: 400, title: 'The form could not be read' }
