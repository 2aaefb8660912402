import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FindPicture } from './markdown.ts'

/** A text of 200,000 characters takes 0.2 s; emphasis can make the time grow with the square of the length. */
const DEADLINE_MS = 2_000
/** Less than a publish has: what can be rendered here can be rendered there. */
const STACK_MB = 0.8

export interface TextToRender {
  markdown: string
  /** By their address; the others are left out. */
  pictures: ReadonlyMap<string, ReturnType<FindPicture>>
}

export type RenderedText =
  | { kind: 'rendered'; html: string; addresses: string[] }
  /** Quotes or lists are nested deeper than the parser can follow. */
  | { kind: 'too_deep' }
  | { kind: 'too_slow' }

/**
 * Renders a text as `renderMarkdown` does, in a thread of its own, so that no text holds up the server. Gives up after
 * two seconds, unless another time is given.
 */
export async function renderApart(
  markdown: string,
  findPicture: FindPicture = () => undefined,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<RenderedText> {
  if (markdown.trim() === '') return { kind: 'rendered', html: '', addresses: [] }
  const first = await enqueue({ markdown, pictures: new Map() }, deadlineMs)
  if (first.kind !== 'rendered' || first.addresses.length === 0) return first
  const pictures = new Map(first.addresses.map((address) => [address, findPicture(address)]))
  return enqueue({ markdown, pictures }, deadlineMs)
}

let thread: Worker | undefined
let turn: Promise<unknown> = Promise.resolve()

function enqueue(text: TextToRender, deadlineMs: number): Promise<RenderedText> {
  const rendered = turn.then(() => render(text, deadlineMs))
  turn = rendered.catch(() => undefined)
  return rendered
}

// The thread stays for the next text, and holds up no end of the program.
async function render(text: TextToRender, deadlineMs: number): Promise<RenderedText> {
  const worker = thread ?? startThread()
  thread = worker
  worker.ref()
  try {
    worker.postMessage(text)
    const [rendered] = await once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) })
    worker.unref()
    return rendered as RenderedText
  } catch (error) {
    thread = undefined
    await worker.terminate()
    if (error instanceof Error && error.name === 'AbortError') return { kind: 'too_slow' }
    throw error
  }
}

function startThread(): Worker {
  const resourceLimits = { stackSizeMb: STACK_MB }
  return new Worker(new URL('./markdown-worker.ts', import.meta.url), { resourceLimits })
}
