import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Failure } from '../../src/lib/messages.ts'
import { supplyChainTexts } from '../../src/messages/command-line/supply-chain.ts'
import { type Advisory, advisory } from './advisory.ts'

export interface AdvisoryFile {
  /** Number of records, of any package. */
  count: number
  /** When the newest record was modified; undefined without records. */
  newest: Date | undefined
  /** Those that affect one of the requested packages. */
  advisories: Advisory[]
}

/**
 * Reads OSV records about these packages: a folder of `.json` files (the unpacked export), a `.json` file with one
 * record or a list, or a file of JSON lines. Throws with the name of a record that can't be read.
 */
export async function readAdvisories(path: string, names: ReadonlySet<string>): Promise<AdvisoryFile> {
  const file: AdvisoryFile = { count: 0, newest: undefined, advisories: [] }
  for await (const { text, place } of readTexts(path)) {
    const parsed = parseJson(text, place)
    for (const record of Array.isArray(parsed) ? parsed : [parsed]) add(file, { record, place, names })
  }
  return file
}

function add(
  file: AdvisoryFile,
  { record, place, names }: { record: unknown; place: string; names: ReadonlySet<string> },
) {
  const { success, data } = advisory.safeParse(record)
  if (!success) throw new Failure(supplyChainTexts, 'notAnAdvisory', place)
  const modified = new Date(data.modified)
  file.count += 1
  if (!file.newest || modified > file.newest) file.newest = modified
  if (data.affected.some((one) => names.has(one.package.name))) file.advisories.push(data)
}

async function* readTexts(path: string): AsyncGenerator<{ text: string; place: string }> {
  if ((await stat(path)).isDirectory()) {
    for (const name of await readdir(path, { recursive: true }))
      if (name.endsWith('.json')) yield { text: await readFile(join(path, name), 'utf8'), place: name }
  } else if (path.endsWith('.json')) yield { text: await readFile(path, 'utf8'), place: path }
  else yield* readLines(path)
}

async function* readLines(path: string): AsyncGenerator<{ text: string; place: string }> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path) })) {
    line += 1
    if (text.trim() !== '') yield { text, place: `${path}:${line}` }
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(supplyChainTexts, 'notJson', place)
  }
}
