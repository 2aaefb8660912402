const WIDTH = 72

/** Breaks the lines of a plain text at spaces after at most 72 characters. Longer words, such as links, stay whole. */
export function wrapText(text: string): string {
  return text.split('\n').flatMap(wrapLine).join('\n')
}

function wrapLine(line: string): string[] {
  const [first = '', ...words] = line.trimEnd().split(' ')
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= WIDTH) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines
}

/** Lists titles and texts as plain text: short texts on the line of the title, long ones in a paragraph below it. */
export function labelledText(lines: readonly { title: string; text: string }[]): string {
  const parts = lines.map(({ title, text }) => {
    const isShort = text.length <= WIDTH && !text.includes('\n')
    return isShort ? `${wrapText(`${title} ${text}`)}\n` : `\n${title}\n${wrapText(text)}\n\n`
  })
  return parts
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
