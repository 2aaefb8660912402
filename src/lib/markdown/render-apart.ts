import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createTurns } from '../background/turns.ts'
import type { FindPicture } from './markdown.ts'

/**
 * Measured in the thread's own time, so that no text is refused because the machine is busy. A text of 200,000
 * characters takes 0.2 s; emphasis can make the time grow with the square of the length.
 */
const DEADLINE_MS = 2_000
/** Number of checks of the thread's time within that limit. */
const LOOKS = 20
/** Less than a publish has, so that everything rendered here can be rendered there. */
const STACK_MB = 0.8

export interface TextToRender {
  markdown: string
  /** Pictures by address; others are left out. */
  pictures: ReadonlyMap<string, ReturnType<FindPicture>>
}

export type RenderedText =
  | { kind: 'rendered'; html: string; addresses: string[] }
  /** Quotes or lists are nested deeper than the parser can follow. */
  | { kind: 'too_deep' }
  | { kind: 'too_slow' }

/**
 * Renders a text as `renderMarkdown` does, in its own thread, so that no text blocks the server. Gives up after two
 * seconds of processor time, unless another time is given.
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
const inTurn = createTurns()

function enqueue(text: TextToRender, deadlineMs: number): Promise<RenderedText> {
  return inTurn(() => render(text, deadlineMs))
}

// The thread stays for the next text, but does not keep the program running.
async function render(text: TextToRender, deadlineMs: number): Promise<RenderedText> {
  const worker = thread ?? (await startThread())
  thread = worker
  worker.ref()
  const end = new AbortController()
  try {
    worker.postMessage(text)
    const answer = once(worker, 'message', { signal: end.signal }).then(
      ([rendered]) => rendered as RenderedText,
    )
    const rendered = await Promise.race([answer, waitUntilSlow(worker, deadlineMs, end.signal)])
    if (rendered.kind === 'too_slow') await endThread(worker)
    else worker.unref()
    return rendered
  } catch (error) {
    await endThread(worker)
    throw error
  } finally {
    end.abort()
  }
}

// Asking a thread for its time interrupts its work.
async function waitUntilSlow(
  worker: Worker,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<{ kind: 'too_slow' }> {
  const before = await worker.cpuUsage()
  for await (const _ of setInterval(deadlineMs / LOOKS, undefined, { signal })) {
    const { user, system } = await worker.cpuUsage(before)
    if ((user + system) / 1_000 >= deadlineMs) break
  }
  return { kind: 'too_slow' }
}

async function endThread(worker: Worker) {
  thread = undefined
  await worker.terminate()
}

async function startThread(): Promise<Worker> {
  const resourceLimits = { stackSizeMb: STACK_MB }
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { resourceLimits })
  await once(worker, 'online')
  return worker
}
