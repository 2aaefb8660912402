/** A part of the program that works beside the server. */
export interface Worker {
  start(): void
  /** Starts nothing more; resolves when nothing runs. Work that can be aborted ends soon after `withinMs`. */
  stop(options?: { withinMs: number }): Promise<void>
}
