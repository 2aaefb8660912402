import type { IncomingMessage } from 'node:http'
import type { App } from '../../app.ts'
import { isStorageFailure } from '../../db/storage-failure.ts'
import { antiSpamRules } from '../../forms/anti-spam.ts'
import { findFormOfPages } from '../../forms/form-store.ts'
import { toPublicForm } from '../../forms/public-definition.ts'
import { formatFileSize } from '../../forms/received-file.ts'
import { renderMarkdown } from '../../lib/markdown/markdown.ts'
import { logTexts } from '../../messages/server/log.ts'
import { successHeading } from '../../messages/visitor/forms.ts'
import { describeUnreadable, postProblems } from '../../messages/visitor/posts.ts'
import type { Sender } from '../../submissions/intake/accept-submission.ts'
import { MAX_VALUES, readFormBody } from '../../submissions/intake/read-form-body.ts'
import { MAX_MULTIPART_BYTES } from '../../submissions/intake/read-multipart.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { createClientAddress } from '../http/client-address.ts'
import { readRequestBody } from '../http/request-body.ts'
import type { RefusalCode } from '../refusals/refusal-log.ts'
import { AWAY, createAnswers, type PageRenderer, type Problem } from './form-answers.ts'
import { isMultipart, type PostOutcome, takeMultipartPost } from './multipart-post.ts'
import { UPLOAD_LIMITS } from './upload-deadline.ts'

const MAX_BODY_BYTES = 64 * 1024
const FORM_PATH = /^\/api\/forms\/([a-z0-9-]{1,80})(\/submissions|\/challenge)?$/

export interface FormsEndpoint {
  /** The answer to anything below `/api/forms/` (contract §5); undefined when the client is gone. */
  answer(request: IncomingMessage): Promise<Answer | undefined>
}

export function createFormsEndpoint(
  app: App,
  renderPage: PageRenderer,
  uploadLimits = UPLOAD_LIMITS,
): FormsEndpoint {
  const answers = createAnswers(app, renderPage)
  // Patterns are compiled at their first use, which takes 50 ms: do that before the first visitor posts.
  renderMarkdown(successHeading)
  const senderOf = createSenderReader(app)

  async function takeSubmission(request: IncomingMessage, slug: string) {
    if (isCompressed(request)) return answers.refuse(request, UNSUPPORTED)
    const post = { slug, sender: senderOf(request), limits: uploadLimits }
    const take = isMultipart(request) ? takeMultipartPost : takePlainPost
    const outcome = noteRefusal(app, request, await take(app, request, post))
    if (outcome.kind === 'aborted') return undefined
    if (isUnread(outcome)) return answers.refuse(request, problemOf(outcome, request))
    return answers.outcome(request, outcome)
  }

  async function showForm(request: IncomingMessage, slug: string) {
    const form = await findFormOfPages(app.promptDb, slug)
    if (form?.status !== 'active') {
      return answers.outcome(request, { kind: form?.status === 'archived' ? 'gone' : 'not_found' })
    }
    return jsonAnswer(200, toPublicForm(form))
  }

  // Proof of work (ALTCHA v1): the browser posts the solved challenge as `_altcha`.
  async function giveChallenge(request: IncomingMessage, slug: string) {
    const form = await findFormOfPages(app.promptDb, slug)
    if (form?.status !== 'active' || !antiSpamRules(form.settings).needsProofOfWork) {
      return answers.outcome(request, { kind: 'not_found' })
    }
    return jsonAnswer(200, await app.proofOfWork.issue(slug))
  }

  const resources = new Map([
    ['', { methods: ['GET', 'HEAD'], answer: showForm }],
    ['/challenge', { methods: ['GET', 'HEAD'], answer: giveChallenge }],
    ['/submissions', { methods: ['POST'], answer: takeSubmission }],
  ])

  async function answer(request: IncomingMessage): Promise<Answer | undefined> {
    const [, slug, below = ''] = FORM_PATH.exec(request.url?.split('?')[0] ?? '') ?? []
    const resource = resources.get(below)
    if (slug === undefined || !resource) return answers.outcome(request, { kind: 'not_found' })
    const isAllowed = resource.methods.includes(request.method ?? '')
    if (!isAllowed) return answers.wrongMethod(request, resource.methods.join(', '))
    return resource.answer(request, slug)
  }

  return {
    async answer(request) {
      try {
        return await answer(request)
      } catch (error) {
        if (!isStorageFailure(error)) throw error
        app.log.error({ err: error }, logTexts.formNotLookedUp)
        return answers.refuse(request, AWAY)
      }
    },
  }
}

async function takePlainPost(
  app: App,
  request: IncomingMessage,
  { slug, sender }: { slug: string; sender: Sender },
): Promise<PostOutcome> {
  const received = await readRequestBody(request, MAX_BODY_BYTES)
  if (received.kind !== 'bytes') return received
  const read = readFormBody(received.bytes, request.headers['content-type'])
  return read.kind === 'body' ? app.desk.accept(slug, read.body, sender) : read
}

function createSenderReader({ config, log }: App): (request: IncomingMessage) => Sender {
  const addressOf = createClientAddress(config.trustedProxies)
  let isProxyIgnored = false
  return (request) => {
    const { referer: referrer, 'sec-gpc': privacy } = request.headers
    if (config.trustedProxies === 0 && request.headers['x-forwarded-for'] && !isProxyIgnored) {
      isProxyIgnored = true
      log.warn(logTexts.proxyIgnored)
    }
    return { address: addressOf(request), cameFrom: { referrer, isPrivate: privacy === '1' } }
  }
}

// Nothing is unpacked: a small body could become a very large one.
function isCompressed({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'
}

function noteRefusal({ refusals }: App, request: IncomingMessage, outcome: PostOutcome): PostOutcome {
  const refused = refusalOf(outcome)
  if (refused) refusals.note(refused, request)
  return outcome
}

// Mistakes in answers belong to the visitor; spam is stored with its reason.
function refusalOf(outcome: PostOutcome): RefusalCode | undefined {
  if (outcome.kind === 'too_many') return 'limit' in outcome ? 'upload_limited' : 'post_limited'
  if (outcome.kind === 'too_large' || outcome.kind === 'too_many_values') return 'too_large'
  return isUnread(outcome) ? 'request_refused' : undefined
}

type Unread = Extract<
  PostOutcome,
  { kind: 'too_large' | 'too_many_values' | 'unsupported_type' | 'unreadable' }
>

function isUnread(outcome: PostOutcome): outcome is Unread {
  return ['too_large', 'too_many_values', 'unsupported_type', 'unreadable'].includes(outcome.kind)
}

function problemOf(outcome: Unread, request: IncomingMessage): Problem {
  if (outcome.kind === 'too_large') return isMultipart(request) ? TOO_LARGE_WITH_FILES : TOO_LARGE
  if (outcome.kind === 'too_many_values') return TOO_MANY_VALUES
  return outcome.kind === 'unreadable'
    ? { ...UNREADABLE, text: describeUnreadable(outcome.reason) }
    : UNSUPPORTED
}

const MAX_TEXT = formatFileSize(MAX_BODY_BYTES)
const MAX_WITH_FILES = formatFileSize(MAX_MULTIPART_BYTES)
const TOO_LARGE = { status: 413, ...postProblems.tooMuchText(MAX_TEXT) }
const TOO_LARGE_WITH_FILES = {
  status: 413,
  ...postProblems.tooMuchWithFiles({ all: MAX_WITH_FILES, text: MAX_TEXT }),
}
const TOO_MANY_VALUES = { status: 413, ...postProblems.tooManyValues(MAX_VALUES) }
const UNSUPPORTED = { status: 415, ...postProblems.unsupported }
const UNREADABLE = { status: 400, title: postProblems.unreadable }
