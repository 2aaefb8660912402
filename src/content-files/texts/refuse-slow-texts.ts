import type { Db } from '../../db/schema.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import { findContentFileBase } from '../content-file-store.ts'
import type { ContentFile } from '../parsing/content-folder.ts'
import { splitFrontMatter } from '../parsing/front-matter.ts'
import { parseLocatedYaml } from '../parsing/located-yaml.ts'
import { rawText, rawValue } from '../parsing/parsed-file.ts'

/** Shorter texts take little time unless they have many marks or levels. */
const MOST_CHARACTERS = 20_000
const MOST_MARKS = 1_000
const MARKS = /[*_~]/g
/** Half as many as the parser can follow. Each needs a mark of its own, or indentation that makes the text long. */
const MOST_LEVELS = 500
const LEVELS = />|[-+*][ \t]|\d[.)][ \t]/g

const FAULTS = { too_slow: 'text_too_slow', too_deep: 'text_too_deep' } as const

/** Ten times the ratio of ordinary text. */
const CHARACTERS_PER_MS = 100
const LEAST_MS = 2_000

/**
 * Returns the files, with a problem for each text that takes too long to format or is nested too deeply, because one
 * such text would hold up or stop every publish. Only new texts that are long, heavily formatted, or nested are tried,
 * in a separate thread.
 */
export async function refuseSlowTexts(db: Db, files: readonly ContentFile[]): Promise<ContentFile[]> {
  const checked: ContentFile[] = []
  for (const file of files) checked.push(mayBeSlow(file) ? await checkText(db, file) : file)
  return checked
}

function mayBeSlow({ path, text }: ContentFile): boolean {
  if (!(isEntry(path) || isForm(path)) || text.length <= MOST_LEVELS) return false
  return text.length > MOST_CHARACTERS || count(text, MARKS) > MOST_MARKS || count(text, LEVELS) > MOST_LEVELS
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function isEntry(path: string): boolean {
  return path.endsWith('.md')
}

function isForm(path: string): boolean {
  return path.startsWith('forms/')
}

async function checkText(db: Db, file: ContentFile): Promise<ContentFile> {
  const body = isForm(file.path) ? successBodyOf(file) : bodyOf(file)
  if (!body || (await isKnown(db, file, body.text))) return file
  const deadlineMs = Math.max(LEAST_MS, body.text.length / CHARACTERS_PER_MS)
  const { kind } = await renderApart(body.text, undefined, { deadlineMs })
  if (kind === 'rendered') return file
  return { ...file, problem: { line: body.line, fault: { code: FAULTS[kind] } } }
}

/** A text with Markdown and its line in the file. */
interface Body {
  text: string
  line: number
}

function bodyOf({ text }: ContentFile): Body | undefined {
  const parts = splitFrontMatter(text)
  return parts && { text: parts.body, line: parts.bodyLine }
}

function successBodyOf({ text: file }: ContentFile): Body | undefined {
  const read = parseLocatedYaml(file, { firstLine: 1 })
  if (read.kind === 'broken') return undefined
  const { value, lineOf } = read.yaml
  const text = rawText(rawValue(value, 'settings'), 'success_body')
  return text === undefined ? undefined : { text, line: lineOf(['settings', 'success_body']) }
}

async function isKnown(db: Db, { path }: ContentFile, text: string): Promise<boolean> {
  const document = (await findContentFileBase(db, path))?.document
  const settings = rawValue(rawValue(document, 'definition'), 'settings')
  return [rawText(document, 'body'), rawText(settings, 'success_body')].includes(text)
}
