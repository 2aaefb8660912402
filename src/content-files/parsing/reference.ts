import type { Named } from '../../entries/meanings/meaning.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'

/** A name that another file or row must define, or that no other may claim, with its line. */
export type Reference = Target & { line: number }

type Target =
  | Named
  | { to: 'term'; taxonomy: string; slug: string; entryType?: string }
  | { to: 'content_type'; slug: string }
  /** A public address of this site, such as `/about`. */
  | { to: 'page'; path: string }
  /** A component of the templates. */
  | { to: 'partial'; name: string }
  /** Reference shown on the page of a custom type's entry, by the key of its field. */
  | { to: 'shown'; key: 'form' | 'picture'; name: string }
  /** An address that may redirect to this entry only. */
  | { to: 'here'; from: string }
  /** A part of a form that is refused, but stays if it is stored. Equal parts have equal keys. */
  | { to: 'faulty_part'; key: string; fault: FileFault }
  /** A header that must be stored with a webhook of this form. */
  | { to: 'stored_header'; webhook: number; name: string }
  /** The signing secret stored with a webhook of this form, if there is one. */
  | { to: 'stored_secret'; webhook: number }
