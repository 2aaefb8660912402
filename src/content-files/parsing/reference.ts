/** Something another file or row has to define, or none may have too, and the line that names it. */
export type Reference = Target & { line: number }

type Target =
  | { to: 'form'; slug: string }
  | { to: 'entry'; type: string; slug: string }
  | { to: 'term'; taxonomy: string; slug: string; entryType?: string }
  | { to: 'content_type'; slug: string }
  /** A drawing of the program. */
  | { to: 'icon'; name: string }
  /** A file of `pictures/`. */
  | { to: 'picture'; name: string }
  /** A public address of this site, such as `/about`. */
  | { to: 'page'; path: string }
  /** A component of the templates. */
  | { to: 'partial'; name: string }
  /** What the page of an entry of one's own type shows, by the key of the field that names it. */
  | { to: 'shown'; key: 'form' | 'picture'; name: string }
  /** An address that leads to this entry alone. */
  | { to: 'here'; from: string }
  /** A pattern of `offered_in`. */
  | { to: 'locations'; pattern: string }
  /** A phone number that visitors dial; `country` as its own file says. */
  | { to: 'phone'; name: string; number: string; country?: string }
  /** A header that is stored with a webhook of this form. */
  | { to: 'stored_header'; webhook: number; name: string }
  /** The signing secret that is stored with a webhook of this form, if there is one. */
  | { to: 'stored_secret'; webhook: number }
