/** A text to insert, and the range that it replaces. */
export interface Insertion {
  text: string
  start: number
  end: number
}

/** Returns how to insert a block at a selection as a paragraph, with one blank line on either side. */
export function ownParagraph(
  block: string,
  { value, start, end }: { value: string; start: number; end: number },
): Insertion {
  const before = value.slice(0, start).trimEnd()
  const isLineStart = end === 0 || value[end - 1] === '\n'
  // At the start of a line, keeps the indentation, which has a meaning in Markdown.
  const blank = isLineStart ? /^(?:[ \t]*\n)*/ : /^(?:(?:[ \t]*\n)+|[ \t]+)/
  const after = value.slice(end).replace(blank, '')
  return {
    text: `${before === '' ? '' : '\n\n'}${block}${after === '' ? '' : '\n\n'}`,
    start: before.length,
    end: value.length - after.length,
  }
}
