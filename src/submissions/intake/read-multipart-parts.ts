import type { Readable } from 'node:stream'
import type { UnreadableReason } from '../../messages/visitor/posts.ts'
import type { UploadedFile } from '../uploads/upload.ts'
import type { UploadFolder } from '../uploads/upload-folder.ts'
import { cleanFileName } from '../uploads/upload-name.ts'
import { detectUploadType } from '../uploads/upload-type.ts'
import { addValue, emptyBody, type FormBody } from './read-form-body.ts'

const MAX_TEXT_BYTES = 64 * 1024
const MAX_FILES = 20

/** Reason for stopping before the end of the post. */
export type StopReason =
  | { kind: 'unreadable'; reason: UnreadableReason }
  | { kind: 'too_large' }
  | { kind: 'too_many_values' }
  | { kind: 'aborted' }
  | { kind: 'not_stored'; error: unknown }

export interface PartOptions {
  /**
   * Returns the maximum size of a file in that field, in bytes; undefined to skip the file. `texts` preceded it in
   * the post.
   */
  fileLimitOf: (field: string, texts: FormBody) => Promise<number | undefined> | number | undefined
  folder: UploadFolder
  /** Called when reading on is pointless. */
  stop: (reason: StopReason) => void
}

interface ArrivedFile {
  field: string
  name: string
  size: number
  file: string
  path: string | undefined
}

/**
 * Handles the parts of a post as they start. Each keeps its position among texts or files, so that short parts never
 * overtake long ones.
 */
export function createPartReceiver({ fileLimitOf, folder, stop }: PartOptions) {
  const texts = createTexts(stop)
  const files = createFiles({ fileLimitOf, folder, stop, textsBefore: texts.arrived })
  const streams = new Set<Readable>()
  const works: Promise<void>[] = []

  function receive(name: string | undefined, stream: Readable, fileName: string | undefined) {
    if (name === undefined) return drain(stream)
    return fileName === undefined ? texts.take(name, stream) : files.take(name, stream, fileName)
  }

  return {
    take(name: string | undefined, stream: Readable, fileName: string | undefined) {
      // The parser also reports its own errors on the stream.
      stream.on('error', () => {})
      streams.add(stream)
      const work = receive(name, stream, fileName)
        .catch((error) => stop({ kind: 'not_stored', error }))
        .finally(() => streams.delete(stream))
      works.push(work)
    },
    /** Resolves when every part that started has been handled. Never rejects. */
    settled: () => Promise.all(works),
    /** Stops the parts that are still arriving. */
    end() {
      for (const stream of streams) stream.destroy()
      return Promise.all(works)
    },
    body: texts.body,
    files: files.all,
  }
}

function createTexts(stop: PartOptions['stop']) {
  const texts: { name: string; value: string }[] = []
  const works: Promise<void>[] = []
  let bytes = 0

  const count = (more: number) => {
    bytes += more
    if (bytes > MAX_TEXT_BYTES) stop({ kind: 'too_large' })
    return bytes <= MAX_TEXT_BYTES
  }

  async function read(name: string, stream: Readable) {
    const text = { name, value: '' }
    texts.push(text)
    const value = count(Buffer.byteLength(name)) ? await readText(stream, count) : ''
    if (value === undefined) stop({ kind: 'unreadable', reason: { code: 'not_utf8' } })
    else text.value = value
  }

  const body = () => toBody(texts)
  return {
    body,
    take(name: string, stream: Readable) {
      const work = read(name, stream)
      works.push(work.catch(() => {}))
      return work
    },
    /** Returns the texts of the parts that have started. */
    arrived: () => Promise.all(works).then(body),
  }
}

function createFiles({
  fileLimitOf,
  folder,
  stop,
  textsBefore,
}: PartOptions & { textsBefore: () => Promise<FormBody> }) {
  const files: ArrivedFile[] = []

  return {
    async take(field: string, stream: Readable, sentName: string) {
      const arrived = { field, name: cleanFileName(sentName), size: 0, file: '', path: undefined }
      const forget = () => files.splice(files.indexOf(arrived), 1)
      files.push(arrived)
      const limit = await fileLimitOf(field, await textsBefore())
      if (limit === undefined) {
        forget()
        return drain(stream)
      }
      if (files.length > MAX_FILES) return stop({ kind: 'too_large' })
      await writeFile(stream, arrived, { limit, folder })
      // An empty file input sends a part without a name or bytes.
      if (sentName === '' && arrived.size === 0) forget()
    },
    all: () => toUploadedFiles(files),
  }
}

async function writeFile(
  stream: Readable,
  arrived: ArrivedFile,
  { limit, folder }: { limit: number; folder: UploadFolder },
) {
  let made: Awaited<ReturnType<UploadFolder['create']>> | undefined
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      arrived.size += chunk.length
      if (arrived.size > limit) continue
      made ??= await folder.create()
      await made.handle.appendFile(chunk)
    }
  } finally {
    await made?.handle.close()
  }
  if (made && arrived.size <= limit) Object.assign(arrived, { file: made.file, path: made.path })
}

function toBody(texts: readonly { name: string; value: string }[]): FormBody {
  const body = emptyBody()
  for (const { name, value } of texts) addValue(body, name, value)
  return body
}

async function toUploadedFiles(files: readonly ArrivedFile[]): Promise<Record<string, UploadedFile[]>> {
  const byField: Record<string, UploadedFile[]> = Object.create(null)
  for (const { field, name, size, file, path } of files) {
    const type = path === undefined ? null : await detectUploadType(path, name)
    byField[field] = [...(byField[field] ?? []), { name, size, type, file }]
  }
  return byField
}

async function drain(stream: Readable) {
  for await (const _chunk of stream);
}

/** Reads the text as far as `count` allows; undefined if it isn't UTF-8. */
async function readText(stream: Readable, count: (bytes: number) => boolean): Promise<string | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!count(chunk.length)) return ''
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    return undefined
  }
}
