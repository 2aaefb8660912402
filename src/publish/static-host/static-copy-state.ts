import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listOutput, otherFiles } from './output-folder.ts'

const STATE = 'files.tsv'
const FIRST_LINE = '# Files of a Signpost site with their hashes. Written by npm run build -- --out'

/** The files below `site` with their hashes, and their release; null in an empty folder. */
export interface CopyState {
  release: string | null
  hashes: Map<string, string>
}

/** Reads the folder's state. Throws if it contains other files. */
export async function readState(outDir: string): Promise<CopyState> {
  const names = await listOutput(outDir)
  if (names.length === 0) return { release: null, hashes: new Map() }
  const text = names.includes(STATE) ? await readFile(join(outDir, STATE), 'utf8') : ''
  const [first, release = '', ...files] = text.replace(/\n$/, '').split('\n')
  if (first !== FIRST_LINE) throw otherFiles(outDir)
  return { release, hashes: new Map(files.map((line) => line.split('\t') as [string, string])) }
}

export async function writeState(outDir: string, release: string, hashes: ReadonlyMap<string, string>) {
  const lines = [FIRST_LINE, release, ...[...hashes].map(([file, hash]) => `${file}\t${hash}`)]
  await writeFile(join(outDir, STATE), `${lines.join('\n')}\n`)
}
