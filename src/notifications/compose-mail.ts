/** What a notification tells; texts as the visitor wrote them. */
export interface MailContent {
  formName: string
  /** In the form's order. */
  answers: readonly { label: string; text: string }[]
  /** An address that passed the check of an `email` field. */
  replyTo: string | undefined
  /** Address of the page the form stood on. */
  pageUrl: string | undefined
  /** Such as `Austin (usa/texas/austin)`. */
  location: string | undefined
  /** UTC text. */
  submittedAt: string
}

export interface ComposedMail {
  subject: string
  text: string
  html: string
  replyTo: string | undefined
}

const MAX_SUBJECT_LENGTH = 200
// One plain address: neither a list nor a name, however the check of the field may change.
const PLAIN_ADDRESS = /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u

/** A notification as plain text and simple HTML. Nothing that a visitor or an administrator wrote can make a header. */
export function composeMail(content: MailContent): ComposedMail {
  const lines = [
    ...content.answers,
    ...(content.pageUrl ? [{ label: 'Page', text: content.pageUrl }] : []),
    ...(content.location ? [{ label: 'Location', text: content.location }] : []),
    { label: 'Received', text: content.submittedAt },
  ]
  const { replyTo = '' } = content
  return {
    subject: `New ${oneLine(content.formName).slice(0, MAX_SUBJECT_LENGTH)} submission`,
    text: `${lines.map(({ label, text }) => `${oneLine(label)}:\n${text || '–'}`).join('\n\n')}\n`,
    html: `<!doctype html><html><body><dl>${lines.map(asHtml).join('')}</dl></body></html>`,
    replyTo: PLAIN_ADDRESS.test(replyTo) ? replyTo : undefined,
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function asHtml({ label, text }: { label: string; text: string }): string {
  const value = escapeHtml(text || '–').replaceAll('\n', '<br>')
  return `<dt><strong>${escapeHtml(oneLine(label))}</strong></dt><dd>${value}</dd>`
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
