import type { Named } from '../../entries/meanings/meaning.ts'

/** Something another file or row has to define, or none may have too, and the line that names it. */
export type Reference = Target & { line: number }

type Target =
  | Named
  | { to: 'term'; taxonomy: string; slug: string; entryType?: string }
  | { to: 'content_type'; slug: string }
  /** A public address of this site, such as `/about`. */
  | { to: 'page'; path: string }
  /** A component of the templates. */
  | { to: 'partial'; name: string }
  /** Reference that the page of an entry of a custom type shows, by the key of its field. */
  | { to: 'shown'; key: 'form' | 'picture'; name: string }
  /** An address that leads to this entry alone. */
  | { to: 'here'; from: string }
  /** A header that is stored with a webhook of this form. */
  | { to: 'stored_header'; webhook: number; name: string }
  /** The signing secret that is stored with a webhook of this form, if there is one. */
  | { to: 'stored_secret'; webhook: number }
