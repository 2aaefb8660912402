import { join } from 'node:path'
import { createPartFile, type PartFile, type Slice } from './part-file.ts'
import { JOINED, type JoinedPart } from './share-work.ts'

const NAMES = [...JOINED, 'kept', 'links'] as const

type Name = (typeof NAMES)[number]

/** The files in which a share writes down what it found of the pages. */
export type ShareParts = ReturnType<typeof createShareParts>

export function createShareParts(folder: string, number: number) {
  const pathOf = (name: Name) => join(folder, `${number}.${name}`)
  const files = Object.fromEntries(NAMES.map((name) => [name, createPartFile(pathOf(name))])) as Record<
    Name,
    PartFile
  >
  return {
    append: (name: Name, text: string): void => files[name].append(text),
    /** What was appended since the last call to those that are joined. */
    slices: () =>
      Object.fromEntries(JOINED.map((name) => [name, files[name].slice()])) as Record<JoinedPart, Slice>,
    /** The file, with all that was appended in it. */
    written(name: Name): string {
      files[name].flush()
      return pathOf(name)
    },
    close(): void {
      for (const file of Object.values(files)) file.close()
    },
  }
}
