import type { IncomingMessage } from 'node:http'
import type { App } from '../../app.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { logTexts } from '../../messages/server/log.ts'
import { successHeading } from '../../messages/visitor/forms.ts'
import { postProblems } from '../../messages/visitor/posts.ts'
import { loadSuccessHtml } from '../../site/forms/form-view.ts'
import { formPage } from '../../site/pages/form-pages.ts'
import type { LayoutView } from '../../site/pages/layout-view.ts'
import { messagePage } from '../../site/pages/message-page.ts'
import type { Page } from '../../site/pages/page.ts'
import type { SubmissionOutcome } from '../../submissions/submission.ts'
import { type Answer, jsonAnswer, pageAnswer, textAnswer } from '../http/answer.ts'
import { createLayoutFinder } from './layout-finder.ts'

/** Gives a page's HTML. */
export type PageRenderer = (page: Page) => Promise<string>

export interface Problem {
  status: number
  title: string
  text: string
  errors?: Record<string, string[]>
  headers?: Record<string, string>
}

const RETRY_AFTER_SECONDS = '5'
// Base for parsing a path.
const ANY_ORIGIN = 'http://localhost'

const NOT_FOUND = { status: 404, ...postProblems.notFound }
const GONE = { status: 410, ...postProblems.closed }
/** Answered when the form can't be looked up right now. */
export const AWAY = {
  status: 503,
  ...postProblems.away,
  headers: { 'retry-after': RETRY_AFTER_SECONDS },
}
const UNAVAILABLE = { ...AWAY, ...postProblems.notStored }
const UNCERTAIN = { ...AWAY, ...postProblems.uncertain }

/**
 * Creates the answers of a form in two kinds: JSON or problem+json for programs, pages and redirects for browsers
 * (contract §5).
 */
export function createAnswers(app: App, renderPage: PageRenderer) {
  const layouts = createLayoutFinder(app.promptDb, app.config)

  async function refuse(request: IncomingMessage, problem: Problem): Promise<Answer> {
    // A connection whose request body was not read to the end cannot be used again.
    const ending = request.complete ? {} : { connection: 'close' }
    const answer = prefersJson(request) ? problemAnswer(problem) : await showProblem(problem)
    return { ...answer, headers: { ...problem.headers, ...ending, ...answer.headers } }
  }

  async function showProblem({ title: heading, text, status }: Problem): Promise<Answer> {
    const find = status === AWAY.status ? layouts.findSoon : layouts.find
    const html = await renderMessage({ heading, text }, find).catch((error) => {
      app.log.error({ err: error }, logTexts.refusalAsText)
    })
    return html === undefined ? textAnswer(status, `${heading}. ${text}`) : pageAnswer(status, html)
  }

  async function renderMessage(
    message: { heading: string; text: string },
    find: () => Promise<LayoutView>,
  ): Promise<string> {
    return renderPage(messagePage(await find(), '/form-problem', message))
  }

  async function showMistakes(request: IncomingMessage, outcome: InvalidOutcome): Promise<Answer> {
    const { form, errors, values, pagePath } = outcome
    if (prefersJson(request)) {
      return problemAnswer({ status: 422, ...postProblems.invalid, errors })
    }
    const layout = await layouts.find()
    const page = formPage(layout, form, { errors, values, pagePath: pagePath ?? `/forms/${form.slug}` })
    return pageAnswer(422, await renderPage(page))
  }

  async function confirm(request: IncomingMessage, outcome: StoredOutcome): Promise<Answer> {
    const { kind, id, form } = outcome
    if (!prefersJson(request)) {
      return { status: 303, headers: { location: locationAfter(form), 'cache-control': 'no-store' } }
    }
    const body = { id, form: form.slug, status: 'accepted', success: await successOf(app.promptDb, form) }
    return jsonAnswer(kind === 'accepted' ? 201 : 200, body)
  }

  return {
    refuse,

    async outcome(request: IncomingMessage, outcome: SubmissionOutcome): Promise<Answer> {
      if ('id' in outcome) return confirm(request, outcome)
      if (outcome.kind === 'invalid') return showMistakes(request, outcome)
      return refuse(request, problemOf(outcome))
    },

    wrongMethod(request: IncomingMessage, allowed: string): Promise<Answer> {
      const text = postProblems.wrongMethod(allowed)
      return refuse(request, { status: 405, title: text, text, headers: { allow: allowed } })
    },
  }
}

function problemOf(outcome: Exclude<SubmissionOutcome, StoredOutcome | InvalidOutcome>): Problem {
  if (outcome.kind === 'too_many') return tooMany(outcome.retryAfterSeconds)
  if (outcome.kind === 'unavailable') return outcome.mayBeStored ? UNCERTAIN : UNAVAILABLE
  return outcome.kind === 'gone' ? GONE : NOT_FOUND
}

function tooMany(retryAfterSeconds: number): Problem {
  return {
    status: 429,
    ...postProblems.tooOften(retryAfterSeconds),
    headers: { 'retry-after': String(retryAfterSeconds) },
  }
}

type StoredOutcome = Extract<SubmissionOutcome, { kind: 'accepted' | 'repeated' }>
type InvalidOutcome = Extract<SubmissionOutcome, { kind: 'invalid' }>

// A program rather than a browser: it sent JSON, or asks for JSON and not for HTML.
function prefersJson({ headers }: IncomingMessage): boolean {
  if (/^application\/json\b/i.test(headers['content-type'] ?? '')) return true
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

// A value stored before checks existed may not be an address, such as `https://[`, and is ignored.
function targetOf({ settings: { redirect_url, success_redirect } }: Form): string | null {
  const isAddress = (text?: string | null) => text != null && URL.canParse(text, ANY_ORIGIN)
  return [redirect_url, success_redirect].find(isAddress) ?? null
}

// Headers hold ASCII only, so text from an administrator is encoded as browsers encode addresses.
function locationAfter(form: Form): string {
  const target = targetOf(form) ?? `/forms/${form.slug}/thanks`
  const url = new URL(target, ANY_ORIGIN)
  return /^https?:/.test(target) ? url.href : url.pathname + url.search + url.hash
}

async function successOf(db: Db, form: Form) {
  return {
    heading: form.settings.success_heading ?? successHeading,
    body: await loadSuccessHtml(db, form),
    redirect_url: targetOf(form),
  }
}

// RFC 9457
function problemAnswer({ status, title, text, errors }: Problem): Answer {
  const detail = text === '' || text === title ? {} : { detail: text }
  const body = { title, status, ...detail, ...(errors && { errors }) }
  return jsonAnswer(status, body, 'application/problem+json')
}
