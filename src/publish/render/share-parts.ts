import { join } from 'node:path'
import { createPartFile, type PartFile } from './part-file.ts'
import type { RangeOutcome } from './share-work.ts'

const NAMES = ['pages', 'changes', 'former', 'qualities', 'pictures', 'kept', 'links'] as const

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
    slices: (): Pick<RangeOutcome, 'pages' | 'changes' | 'former' | 'qualities' | 'pictures'> => ({
      pages: files.pages.slice(),
      changes: files.changes.slice(),
      former: files.former.slice(),
      qualities: files.qualities.slice(),
      pictures: files.pictures.slice(),
    }),
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
