import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import type { ContentKey, ContentSource, ContentValues } from './content-source.ts'

interface Reading {
  source: ContentSource
  keys: Set<ContentKey>
}

interface Readers {
  during: AsyncLocalStorage<Reading>
  /** Provides content to pages rendered without recording: in `astro dev` and `astro build`. */
  open: (() => ContentSource) | undefined
}

// The development server loads this module twice, once through Node and once through Vite.
const KEY = Symbol.for('signpost.own-pages')
const shared: Record<symbol, Readers | undefined> = globalThis as never
shared[KEY] ??= { during: new AsyncLocalStorage<Reading>(), open: undefined }
const readers = shared[KEY]

/** Returns the content that an own page asks for and records the key. Throws outside the rendering of a page. */
export async function readContent<Key extends ContentKey>(key: Key): Promise<ContentValues[Key]> {
  const reading = readers.during.getStore()
  reading?.keys.add(key)
  const source = reading?.source ?? readers.open?.()
  if (!source) throw new Failure(ownPageFailures, 'readOutside')
  return (await source.load(key)).value
}

/** Runs work that reads content from this source. Returns its result and the keys it read, in order. */
export async function recordReads<T>(
  source: ContentSource,
  work: () => Promise<T>,
): Promise<{ result: T; reads: ContentKey[] }> {
  const reading: Reading = { source, keys: new Set() }
  const result = await readers.during.run(reading, work)
  return { result, reads: [...reading.keys].sort() }
}

/** Sets where pages read content while nothing records them. */
export function openContentBy(open: () => ContentSource): void {
  readers.open = open
}
