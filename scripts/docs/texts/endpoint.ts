/** A request that Signpost handles, and its responses. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'OPTIONS'
  /** With placeholders such as `{form}`. */
  path: string
  does: string
  /** When each status is returned. */
  answers: Readonly<Record<number, string>>
  /** A complete response. */
  example?: string
}
