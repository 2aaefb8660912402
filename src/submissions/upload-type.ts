import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { findSniffedKind, findTextKind } from '../forms/file-kinds.ts'

const CHUNK_BYTES = 64 * 1024
// A page or a script by its first characters, whatever it is called.
const MARKUP = /^[\ufeff\s]*(<[!?a-z]|#!)/i

/** The media type of a file on which its bytes and its name agree, or null. Text has no mark: it must be UTF-8. */
export async function detectUploadType(path: string, name: string): Promise<string | null> {
  const text = findTextKind(name)
  if (text) return (await isPlainText(path)) ? text.type : null
  // A parser that gives up on a broken file says nothing about it.
  const sniffed = await fileTypeFromFile(path).catch(() => undefined)
  return (sniffed && findSniffedKind(name, sniffed.mime)?.type) ?? null
}

async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const handle = await open(path)
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
  } finally {
    await handle.close()
  }
}
