/** A page to link to. */
export interface LinkOption {
  name: string
  path: string
}
