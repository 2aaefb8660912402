// Widths of letters in parts of the font's size, a little more than they are.
const NARROW = 0.32
const WIDE = 0.92
const CAPITAL = 0.7
const ORDINARY = 0.58

/** Breaks a text between words so that no line is wider than so many times the font's size; a longer word stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += widthOfLetter(letter)
  return width
}

function widthOfLetter(letter: string): number {
  if ("iljtfrI.,:;'’!|()- ".includes(letter)) return NARROW
  if ('mwMW@%—'.includes(letter)) return WIDE
  return letter !== letter.toLowerCase() ? CAPITAL : ORDINARY
}
