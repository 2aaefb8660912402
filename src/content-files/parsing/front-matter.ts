const FENCE = '---'

/** The two parts of an entry's file. `firstLine` is the line where the YAML starts, counted from 1. */
export interface FrontMatter {
  yaml: string
  firstLine: number
  body: string
  /** Line where the body starts. */
  bodyLine: number
}

/** Splits `---`, YAML, `---`, Markdown. Undefined if a fence is missing. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.split('\n')
  if (lines[0]?.trimEnd() !== FENCE) return undefined
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE)
  if (end === -1) return undefined
  const blank = lines.slice(end + 1).findIndex((line) => line.trim() !== '')
  return {
    yaml: `${lines.slice(1, end).join('\n')}\n`,
    firstLine: 2,
    body: normalizeBody(lines.slice(end + 1).join('\n')),
    bodyLine: end + 2 + Math.max(0, blank),
  }
}

/** Trims blank lines around a Markdown body, so that files, rows, and admin forms compare equal. */
export function normalizeBody(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}
