/** A link to another page of the site. */
export interface PageLink {
  name: string
  path: string
}
