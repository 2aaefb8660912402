import { randomUUID } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a file under another name first, so that nobody finds a part of it. */
export async function makeWhole(file: string, make: (unfinished: string) => Promise<unknown>): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}.tmp`
  await make(unfinished)
  await rename(unfinished, file)
}
