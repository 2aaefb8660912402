import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const BUFFERED = 256 * 1024
const COPIED_AT_ONCE = 1024 * 1024

/** Bytes of a part file, from `start` up to `end`. */
export interface Slice {
  file: string
  start: number
  end: number
}

/** A file that is only appended to, in large pieces. */
export type PartFile = ReturnType<typeof createPartFile>

export function createPartFile(file: string) {
  const descriptor = openSync(file, 'w')
  let text = ''
  let written = 0
  let sliced = 0

  function flush() {
    if (text === '') return
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from)
    written += bytes.length
    text = ''
  }

  return {
    append(more: string): void {
      text += more
      if (text.length > BUFFERED) flush()
    },
    /** What was appended since the last call. It may be read after `flush`. */
    slice(): Slice {
      flush()
      const slice = { file, start: sliced, end: written }
      sliced = written
      return slice
    },
    flush,
    close(): void {
      flush()
      closeSync(descriptor)
    },
  }
}

/** The text of a slice. */
export function readSlice({ file, start, end }: Slice): string {
  const from = openSync(file, 'r')
  try {
    const bytes = Buffer.allocUnsafe(end - start)
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(from, bytes, at, bytes.length - at, start + at)
      if (read === 0) throw new Error(`${file} ended early`)
      at += read
    }
    return bytes.toString()
  } finally {
    closeSync(from)
  }
}

/** Puts slices together in one file, in this order. */
export function joinSlices(target: string, slices: Iterable<Slice>): void {
  const to = openSync(target, 'w')
  const sources = new Map<string, number>()
  const buffer = Buffer.allocUnsafe(COPIED_AT_ONCE)
  try {
    for (const { file, start, end } of slices) {
      const from = sources.get(file) ?? openSync(file, 'r')
      sources.set(file, from)
      copyBytes(from, to, { start, end, buffer })
    }
  } finally {
    for (const descriptor of [to, ...sources.values()]) closeSync(descriptor)
  }
}

function copyBytes(
  from: number,
  to: number,
  { start, end, buffer }: { start: number; end: number; buffer: Buffer },
) {
  for (let at = start; at < end; ) {
    const bytes = readSync(from, buffer, 0, Math.min(buffer.length, end - at), at)
    if (bytes === 0) throw new Error('A part of the release ended early')
    for (let written = 0; written < bytes; ) written += writeSync(to, buffer, written, bytes - written)
    at += bytes
  }
}
