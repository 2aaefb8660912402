/** A part of the program that works beside the server. */
export interface Worker {
  start(): void
  /** Begins nothing more; resolves when nothing runs, at the latest soon after `withinMs` where work can be broken off. */
  stop(options?: { withinMs: number }): Promise<void>
}
