import { sendingTexts } from '#src/messages/visitor/forms.ts'
import { focusMessage, followLink } from './form-focus.ts'
import { clearMistakes, showMistakes, showProblem } from './form-mistakes.ts'
import { type Answer, postForm, type Success } from './form-request.ts'
import { solveChallenge } from './proof-of-work.ts'
import { createSendStatus } from './send-status.ts'
import { forgetSubmissionId, notedVisit, submissionId } from './submission-id.ts'

const RETRY_DELAYS_SECONDS = [2, 5, 10, 20, 40]
// The server can't be reached or can't store the post right now; the same post may work later.
const PASSING_TROUBLE = [0, 502, 503, 504]

/**
 * Sends a form without leaving the page: messages at the fields, upload progress, the success text in place. After a
 * lost connection it retries with the same `_id`. The markup comes from FormBlock.astro; if the script fails, the
 * browser sends the form itself. A field called `action` or `append` hides the form's own property of that name, so
 * the code uses only properties with a capital letter, which field names can't contain.
 */
export function sendInPlace(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  const action = form.getAttribute('action')
  if (!button || !action) return
  // A monotonic clock, because a visitor's time of day may be wrong.
  const openedAt = performance.now()
  const status = createSendStatus(button)
  const send = createSender(form, action, status)
  form.noValidate = true
  form.parentElement?.addEventListener('click', followLink)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (status.isBusy()) return
    try {
      const openMs = String(Math.round(performance.now() - openedAt))
      const body = bodyOf(form, { _id: submissionId(action), _open_ms: openMs, _source: notedVisit() })
      clearMistakes(form)
      send(body, 0)
    } catch {
      HTMLFormElement.prototype.submit.call(form)
    }
  })
}

type Sender = (body: FormData, retries: number) => Promise<void>

function createSender(
  form: HTMLFormElement,
  action: string,
  status: ReturnType<typeof createSendStatus>,
): Sender {
  let timer: ReturnType<typeof setTimeout>

  async function send(body: FormData, retries: number) {
    clearTimeout(timer)
    status.setBusy(true)
    const answer = await post(body)
    status.setBusy(false)
    if (answer.success) succeed(answer.success)
    else if (answer.errors) showMistakes(form, answer.errors)
    else if (PASSING_TROUBLE.includes(answer.status)) retryLater(answer, body, retries)
    else showProblem(form, problemText(answer))
  }

  // The page says whether a proof of work is required, so that no upload is wasted. The server checks it
  // too, because the page may be older than the setting and proofs expire. Each proof works once.
  async function post(body: FormData): Promise<Answer> {
    if (form.hasAttribute('data-proof')) await addProof(body)
    const answer = await postForm(form, body, status.showProgress)
    if (!answer.errors?._altcha || !(await addProof(body))) return answer
    return postForm(form, body, status.showProgress)
  }

  async function addProof(body: FormData) {
    const proof = await solveChallenge(action)
    if (proof) body.set('_altcha', proof)
    return proof
  }

  // Sends the very same post again. Anything typed meanwhile is sent when the button is pressed again.
  function retryLater({ status: code, retryAfter }: Answer, body: FormData, retries: number) {
    const trouble = code === 0 ? sendingTexts.connectionLost : sendingTexts.serverUnavailable
    const delay = RETRY_DELAYS_SECONDS[retries]
    if (delay === undefined) return showProblem(form, sendingTexts.givenUp(trouble))
    const seconds = Math.max(delay, retryAfter)
    status.say(sendingTexts.retrying(trouble, durationText(seconds)))
    timer = setTimeout(() => send(body, retries + 1), seconds * 1000)
  }

  function succeed(success: Success) {
    forgetSubmissionId(action)
    tellPage(form)
    const to = success.redirect_url
    // Relative to our site, even if the form is on another.
    if (to) location.assign(new URL(to, new URL(action, location.href)))
    else showSuccess(form, success)
  }

  return send
}

// For the page's tags, such as analytics. Composed, because an embedded form is in a shadow root.
function tellPage(form: HTMLFormElement) {
  const detail = { form: form.getAttribute('data-form') }
  form.dispatchEvent(new CustomEvent('signpost:submitted', { bubbles: true, composed: true, detail }))
}

function bodyOf(form: HTMLFormElement, controls: Record<string, string>): FormData {
  const body = new FormData(form)
  for (const [name, value] of Object.entries(controls)) body.set(name, value)
  for (const input of form.querySelectorAll('input')) {
    // A half-typed number or date reads as empty; the server must see that something is wrong with it.
    if (input.validity.badInput) body.set(input.name, '?')
  }
  return body
}

function showSuccess(form: HTMLFormElement, { heading, body }: Success) {
  const section = form.parentElement
  const title = section?.querySelector<HTMLElement>('h1, h2')
  if (!section || !title) return
  const text = document.createElement('div')
  text.className = 'prose'
  // Rendered and sanitized by the server.
  text.innerHTML = body
  title.textContent = heading
  section.replaceChildren(title, text)
  // Hides the page's links to the form (frame.css).
  section.dataset.sent = ''
  focusMessage(title)
}

function problemText({ title, detail, retryAfter }: Answer): string {
  const wait = retryAfter > 0 && sendingTexts.tryAgain(durationText(retryAfter))
  const known = title && [title.replace(/[^.!?]$/, '$&.'), detail ?? wait].filter(Boolean).join(' ')
  return known || sendingTexts.givenUp(sendingTexts.failed)
}

function durationText(seconds: number): string {
  return seconds < 100 ? sendingTexts.seconds(seconds) : sendingTexts.minutes(Math.ceil(seconds / 60))
}
