import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { UploadedFile } from '../uploads/upload.ts'
import { type FormBody, MAX_VALUES } from './read-form-body.ts'
import { createPartReceiver, type PartOptions, type StopReason } from './read-multipart-parts.ts'

/** Maximum size of a post with files, including separators: 60 MiB. */
export const MAX_MULTIPART_BYTES = 60 * 1024 * 1024
const MAX_PART_HEADER_BYTES = 8 * 1024
const MAX_PART_HEADERS = 20
const BROKEN = { kind: 'unreadable', reason: { code: 'multipart_broken' } } as const

export type ReadMultipart =
  | { kind: 'body'; body: FormBody; files: Record<string, UploadedFile[]> }
  | StopReason

export interface MultipartOptions extends Pick<PartOptions, 'folder'> {
  contentType: string
  fileLimitOf: PartOptions['fileLimitOf']
  /** Stops reading, because the rest of the post won't arrive. */
  signal?: AbortSignal | undefined
  /** Called with the length of every chunk, and with 0 once it has been handled. */
  onBytes?: ((count: number) => void) | undefined
}

/**
 * Reads a `multipart/form-data` post as it arrives (RFC 7578): texts into memory, files into `folder`. A file over
 * its limit is skipped and reported with its size, so that the visitor sees all mistakes at once. Writes nothing
 * after it resolves; the caller removes the folder. Never throws.
 */
export async function readMultipart(
  source: AsyncIterable<Buffer>,
  { contentType, fileLimitOf, folder, signal, onBytes = () => {} }: MultipartOptions,
): Promise<ReadMultipart> {
  const parser = openParser(contentType)
  if (!parser) return { kind: 'unreadable', reason: { code: 'boundary_missing' } }
  const stopping = createStop(signal)
  const parts = createPartReceiver({ fileLimitOf, folder, stop: stopping.stop })
  parser.on('file', (name, stream, fileName) => parts.take(name, stream, fileName))
  parser.on('partsLimit', () => stopping.stop({ kind: 'too_many_values' }))
  parser.on('error', () => stopping.stop(BROKEN))

  await pump(source, parser, stopping, onBytes).catch(() => stopping.stop({ kind: 'aborted' }))
  await Promise.race([parts.settled(), stopping.stopped])
  await parts.end()
  if (stopping.reason) return stopping.reason
  try {
    return { kind: 'body', body: parts.body(), files: await parts.files() }
  } catch (error) {
    return { kind: 'not_stored', error }
  }
}

interface Stopping {
  stop: PartOptions['stop']
  stopped: Promise<void>
  readonly reason: StopReason | undefined
}

/** The first reason to stop wins. */
function createStop(signal: AbortSignal | undefined): Stopping {
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: StopReason | undefined
  const stop = (reason: StopReason) => {
    first ??= reason
    resolve()
  }
  if (signal?.aborted) stop({ kind: 'aborted' })
  signal?.addEventListener('abort', () => stop({ kind: 'aborted' }), { once: true })
  return {
    stop,
    stopped: promise,
    get reason() {
      return first
    },
  }
}

function openParser(contentType: string): BusboyInstance | undefined {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      // Texts too: their bytes are counted and decoded here, not by the parser.
      isPartAFile: () => true,
      limits: { parts: MAX_VALUES, headerPairs: MAX_PART_HEADERS, headerSize: MAX_PART_HEADER_BYTES },
    })
  } catch {
    return undefined
  }
}

async function pump(
  source: AsyncIterable<Buffer>,
  parser: BusboyInstance,
  stopping: Stopping,
  onBytes: (count: number) => void,
) {
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  let size = 0
  for await (const chunk of source) {
    onBytes(chunk.length)
    size += chunk.length
    if (size > MAX_MULTIPART_BYTES) stopping.stop({ kind: 'too_large' })
    if (stopping.reason) return
    // The next chunk is requested once this one is on disk.
    await Promise.race([new Promise((resolve) => parser.write(chunk, resolve)), stopping.stopped])
    onBytes(0)
  }
  if (stopping.reason) return
  parser.end()
  await Promise.race([finished, stopping.stopped])
}
