import { open } from 'node:fs/promises'
import { findSniffedKind, findTextKind } from '../../forms/fields/file-kinds.ts'
import { readHead } from '../../lib/files/read-head.ts'

const CHUNK_BYTES = 64 * 1024
// Bytes examined to detect the type. A ZIP file that doesn't declare the size of its entries is scanned, which blocks
// the event loop: 10 MB took 180 ms.
const HEAD_BYTES = 256 * 1024
// Detects a page or script by its first characters, whatever its name.
const MARKUP = /^[\ufeff\s]*(<[!?a-z]|#!)/i

/**
 * Returns the media type on which a file's bytes and name agree, or null. Text has no signature, so it must be UTF-8.
 */
export async function detectUploadType(path: string, name: string): Promise<string | null> {
  const text = findTextKind(name)
  if (text) return (await isPlainText(path)) ? text.type : null
  const { fileTypeFromBuffer } = await import('file-type')
  // A parser that fails on a broken file proves nothing about it.
  const sniffed = await fileTypeFromBuffer(await readHead(path, HEAD_BYTES)).catch(() => undefined)
  return (sniffed && findSniffedKind(name, sniffed.mime)?.type) ?? null
}

async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  await using handle = await open(path)
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position)
      const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 })
      if (text.includes('\0') || (position === 0 && MARKUP.test(text))) return false
      if (bytesRead === 0) return true
      position += bytesRead
    }
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
