import type { Db } from '../../db/schema.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import { findContentFileBase } from '../content-file-store.ts'
import type { ContentFile } from '../parsing/content-folder.ts'
import { type FrontMatter, splitFrontMatter } from '../parsing/front-matter.ts'

/** Shorter texts take little time unless they have many marks or levels. */
const MOST_CHARACTERS = 20_000
const MOST_MARKS = 2_000
const MARKS = /[*_~]/g
/** Half as many as the parser can follow. Each needs a mark of its own, or indentation that makes the text long. */
const MOST_LEVELS = 500
const LEVELS = />|[-+*][ \t]|\d[.)][ \t]/g

const FAULTS = { too_slow: 'text_too_slow', too_deep: 'text_too_deep' } as const

/** Ten times the ratio of ordinary text. */
const CHARACTERS_PER_MS = 100
const LEAST_MS = 2_000

/**
 * Returns the files, with a problem for each text that takes too long to format, because one such text would hold up
 * every publish for minutes. Only new texts that are long, heavily formatted, or nested are tried, in a separate thread.
 */
export async function refuseSlowTexts(db: Db, files: readonly ContentFile[]): Promise<ContentFile[]> {
  const checked: ContentFile[] = []
  for (const file of files) checked.push(mayBeSlow(file) ? await checkText(db, file) : file)
  return checked
}

function mayBeSlow({ path, text }: ContentFile): boolean {
  if (!path.endsWith('.md') || text.length <= MOST_LEVELS) return false
  return text.length > MOST_CHARACTERS || count(text, MARKS) > MOST_MARKS || count(text, LEVELS) > MOST_LEVELS
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

async function checkText(db: Db, file: ContentFile): Promise<ContentFile> {
  const parts = splitFrontMatter(file.text)
  if (!parts || (await isKnown(db, file, parts))) return file
  const deadlineMs = Math.max(LEAST_MS, parts.body.length / CHARACTERS_PER_MS)
  const { kind } = await renderApart(parts.body, undefined, { deadlineMs })
  if (kind === 'rendered') return file
  return { ...file, problem: { line: parts.bodyLine, fault: { code: FAULTS[kind] } } }
}

async function isKnown(db: Db, { path }: ContentFile, { body }: FrontMatter): Promise<boolean> {
  const base = await findContentFileBase(db, path)
  return (base?.document as { body?: unknown } | undefined)?.body === body
}
