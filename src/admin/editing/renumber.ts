/** Attributes that may contain a field's name, or an ID made from it. */
const NAMED = ['name', 'id', 'for', 'aria-describedby', 'data-name']

interface Place {
  /** Common prefix of the row's field names, such as `steps` for `steps.0.title`; undefined if they share none. */
  list: string | undefined
  /** Counted from 1. */
  from: number
  to: number
}

/** Renames the fields and labels of a row for another position in its list. */
export function renumber(row: HTMLElement, { list, from, to }: Place): void {
  if (from !== to) for (const label of row.querySelectorAll('label, legend')) relabel(label, from, to)
  for (const field of row.querySelectorAll('*')) {
    if (list !== undefined) rename(field, `${list}.`, to - 1)
    const label = field.getAttribute('aria-label')
    if (label && field.matches('input, textarea, select'))
      field.setAttribute('aria-label', withNumber(label, from, to))
  }
}

function rename(field: Element, start: string, index: number) {
  for (const attribute of NAMED) {
    const value = field.getAttribute(attribute)
    const at = value?.indexOf(start) ?? -1
    if (!value || at < 0) continue
    const rest = value.slice(at + start.length)
    if (/^\d+\./.test(rest))
      field.setAttribute(attribute, value.slice(0, at) + start + rest.replace(/^\d+/, String(index)))
  }
}

function relabel(label: Element, from: number, to: number) {
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    text.textContent = withNumber(text.textContent ?? '', from, to)
}

// The last number, because a label may start with one of its own.
function withNumber(text: string, from: number, to: number): string {
  return text.replace(new RegExp(`(.*)\\b${from}\\b`, 's'), (_, before) => `${before}${to}`)
}
