/** Splits a type at a separator outside brackets and texts. Empty parts are left out. */
export function splitType(type: string, separator: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const at of outside(type)) {
    if (type[at] !== separator) continue
    parts.push(type.slice(from, at))
    from = at + 1
  }
  return [...parts, type.slice(from)].map((part) => part.trim()).filter((part) => part !== '')
}

/** Returns where the type at the start of a text ends: at a semicolon, or at a line that does not go on. */
export function endOfType(text: string): number {
  for (const at of outside(text)) {
    if (text[at] === ';') return at
    const [before, after] = [text.slice(0, at).trim(), text.slice(at).trim()]
    if (text[at] === '\n' && before !== '' && !/[&|<,]$/.test(before) && !/^[&|]/.test(after)) return at
  }
  return text.length
}

// Places outside brackets and texts. The > of => closes nothing.
function* outside(text: string): Generator<number> {
  const plain = text.replace(/=>|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, (found) => '_'.repeat(found.length))
  let depth = 0
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain.charAt(at)
    if (depth === 0) yield at
    if ('{([<'.includes(letter)) depth += 1
    if ('})]>'.includes(letter)) depth -= 1
  }
}
