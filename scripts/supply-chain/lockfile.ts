import { readFile } from 'node:fs/promises'
import { Failure } from '../../src/lib/messages.ts'
import { supplyChainTexts } from '../../src/messages/command-line/supply-chain.ts'

/** An installed package in package-lock.json. */
export interface LockedPackage {
  name: string
  version: string
  /** Base64 with its algorithm: `sha512-…`. */
  integrity: string
  license: string
  /** True if it is needed only for development. */
  isDevelopment: boolean
  /** `name@version` of its dependencies. */
  dependsOn: string[]
}

interface Entry {
  name?: string
  version: string
  integrity?: string
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

type Entries = Record<string, Entry>

/**
 * Lists the program and every package in its lock file, once per version. A package needed for both counts as
 * shipped.
 */
export async function readLock(
  path: string | URL,
): Promise<{ program: LockedPackage; packages: LockedPackage[] }> {
  const { packages: entries }: { packages?: Entries } = JSON.parse(await readFile(path, 'utf8'))
  if (!entries) throw new Failure(supplyChainTexts, 'lockInvalid', String(path))
  const found = new Map<string, LockedPackage>()
  for (const place of Object.keys(entries)) {
    const read = readEntry(place, entries)
    const known = found.get(idOf(read))
    if (place !== '' && known?.isDevelopment !== false) found.set(idOf(read), read)
  }
  return { program: readEntry('', entries), packages: [...found.values()] }
}

/** `name@version` */
export function idOf({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${name}@${version}`
}

function readEntry(place: string, entries: Entries): LockedPackage {
  const { version, integrity = '', license = 'unknown', dev = false, ...entry } = entries[place] as Entry
  const wanted = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
  const found = Object.keys(wanted).flatMap((name) => findPlace(name, place, entries) ?? [])
  const dependsOn = found.map((one) =>
    idOf({ name: nameAt(one, entries), version: entries[one]?.version ?? '' }),
  )
  return { name: nameAt(place, entries), version, integrity, license, isDevelopment: dev, dependsOn }
}

// Node looks for a package in the folder that loads it, then further up.
function findPlace(name: string, from: string, entries: Entries): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (entries[place]) return place
    if (folder === '') return undefined
  }
}

// An alias stores the name of the real package.
function nameAt(place: string, entries: Entries): string {
  return entries[place]?.name ?? place.replace(/^.*node_modules\//, '')
}
