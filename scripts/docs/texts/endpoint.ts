/** A request that the program answers, and how. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'OPTIONS'
  /** With placeholders such as `{form}`. */
  path: string
  does: string
  /** When each status is the answer. */
  answers: Readonly<Record<number, string>>
  /** An answer in full. */
  example?: string
}
