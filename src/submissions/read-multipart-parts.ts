import type { Readable } from 'node:stream'
import { addValue, emptyBody, type FormBody } from './read-form-body.ts'
import type { UploadedFile } from './upload.ts'
import type { UploadFolder } from './upload-folder.ts'
import { cleanFileName } from './upload-name.ts'
import { detectUploadType } from './upload-type.ts'

const MAX_TEXT_BYTES = 64 * 1024
const MAX_FILES = 20

/** Why the reading of a post ended before the post did. */
export type StopReason =
  | { kind: 'unreadable'; reason: string }
  | { kind: 'too_large' }
  | { kind: 'aborted' }
  | { kind: 'not_stored'; error: unknown }

export interface PartOptions {
  fileLimits: ReadonlyMap<string, number>
  folder: UploadFolder
  /** Called when there is no point in reading on. */
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
 * Takes the parts of one post as they begin. Each has its place in `texts` or `files` from then on, so that short parts
 * never overtake long ones.
 */
export function createPartReceiver({ fileLimits, folder, stop }: PartOptions) {
  const texts: { name: string; value: string }[] = []
  const files: ArrivedFile[] = []
  const streams = new Set<Readable>()
  const works: Promise<void>[] = []
  let textBytes = 0

  const countText = (bytes: number) => {
    textBytes += bytes
    if (textBytes > MAX_TEXT_BYTES) stop({ kind: 'too_large' })
    return textBytes <= MAX_TEXT_BYTES
  }

  async function takeText(name: string, stream: Readable) {
    const text = { name, value: '' }
    texts.push(text)
    const value = countText(Buffer.byteLength(name)) ? await readText(stream, countText) : ''
    if (value === undefined) stop({ kind: 'unreadable', reason: 'The body is not valid UTF-8.' })
    else text.value = value
  }

  async function takeFile(field: string, stream: Readable, sentName: string, limit: number) {
    const arrived: ArrivedFile = { field, name: cleanFileName(sentName), size: 0, file: '', path: undefined }
    files.push(arrived)
    if (files.length > MAX_FILES) return stop({ kind: 'too_large' })
    await writeFile(stream, arrived, { limit, folder })
    // A file input that was left empty sends a part without a name and without bytes.
    if (sentName === '' && arrived.size === 0) files.splice(files.indexOf(arrived), 1)
  }

  function receive(name: string | undefined, stream: Readable, fileName: string | undefined) {
    if (name === undefined) return drain(stream)
    if (fileName === undefined) return takeText(name, stream)
    const limit = fileLimits.get(name)
    return limit === undefined ? drain(stream) : takeFile(name, stream, fileName, limit)
  }

  return {
    take(name: string | undefined, stream: Readable, fileName: string | undefined) {
      // The parser reports on the stream too what it reports itself.
      stream.on('error', () => {})
      streams.add(stream)
      const work = receive(name, stream, fileName)
        .catch((error) => stop({ kind: 'not_stored', error }))
        .finally(() => streams.delete(stream))
      works.push(work)
    },
    /** Resolves when every part that began has been dealt with. Never rejects. */
    settled: () => Promise.all(works),
    /** Ends what is still arriving. */
    end() {
      for (const stream of streams) stream.destroy()
      return Promise.all(works)
    },
    body: () => toBody(texts),
    files: () => toUploadedFiles(files),
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

/** The text, as far as `count` lets it be read; undefined when it is not UTF-8. */
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
