const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAX_PATH_LENGTH = 512

/** The form's own controls, the names that start with `_` (contract §5). */
export interface FormControls {
  /** The visitor's UUID for this submission, in lower case. */
  id: string | undefined
  /** The path of the page that the form stood on, without query and fragment. */
  page: string | undefined
}

/** Reads the controls of a post. What is not well-formed counts as not sent. */
export function readControls(body: Readonly<Record<string, unknown>>): FormControls {
  return { id: readId(body._id), page: readPage(body._page) }
}

function readId(sent: unknown): string | undefined {
  return typeof sent === 'string' && UUID.test(sent) ? sent.toLowerCase() : undefined
}

function readPage(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || sent.length > MAX_PATH_LENGTH) return undefined
  const path = sent.replace(/[?#].*$/s, '')
  return /^\/[^\s\p{Cc}\\]*$/u.test(path) && path.isWellFormed() ? path : undefined
}
