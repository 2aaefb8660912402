/** Shorter texts appear in too many places. */
const SHORTEST = 3
const LINES_TRIED = 8
const TEXT_FIELDS = 'textarea, input:not([type]), input[type=text], input[type=tel], input[type=email]'

/**
 * Scrolls a previewed page to the part that shows the text of a field: the line at the cursor, or else the nearest line
 * that the page shows, or a text of the same row or list. For a picture, to the picture. Does nothing if the page shows none of them.
 */
export function showPart({ contentDocument: shown, contentWindow: view }: HTMLIFrameElement, field: Element) {
  const part = shown && findPart(shown, field)
  if (!part || !view) return
  const closed = part.closest('summary') ? null : part.closest('details')
  if (closed) closed.open = true
  const { top, bottom } = part.getBoundingClientRect()
  if (top < 0 || bottom > view.innerHeight) view.scrollBy({ top: top - view.innerHeight / 3 })
}

function findPart(shown: Document, field: Element): Element | undefined {
  const picture = findPicture(shown, field)
  if (picture) return picture
  const texts = fieldsNear(field).flatMap((one) => linesNear(one).flatMap((line) => shownText(line) ?? []))
  for (const text of texts) {
    for (const root of [shown.querySelector('main'), shown.body]) {
      const part = root && findText(root, text)
      if (part) return part
    }
  }
  return undefined
}

// Thumbnails and the pictures of pages are both named by the start of a hash.
function findPicture(shown: Document, field: Element): Element | undefined {
  const thumbnail = field.closest('[data-picture-input]')?.querySelector('img:not([hidden])')
  const hash = /\bof=([0-9a-f]+)/.exec(thumbnail?.getAttribute('src') ?? '')?.[1]
  return (hash && shown.querySelector(`main img[src*="picture-${hash}"]`)) || undefined
}

// The field, then the others of its row, then those of its list, the ones before it first.
function fieldsNear(field: Element): Field[] {
  const others = ['[data-row]', 'fieldset'].flatMap((group) => {
    const fields = [...(field.closest(group)?.querySelectorAll(TEXT_FIELDS) ?? [])]
    const place = fields.indexOf(field)
    return [...fields.slice(0, Math.max(0, place)).reverse(), ...fields.slice(place + 1)]
  })
  return [field, ...others].filter((one): one is Field => one.matches(TEXT_FIELDS))
}

type Field = HTMLInputElement | HTMLTextAreaElement

// The line at the cursor and those before it, the nearest first, then those after it.
function linesNear({ value, selectionStart }: Field): string[] {
  const before = value.slice(0, selectionStart ?? 0).split('\n').length
  const lines = value.split('\n')
  return [...lines.slice(0, before).reverse(), ...lines.slice(before)]
    .filter((line) => shownText(line))
    .slice(0, LINES_TRIED)
}

// The longest part of a line without Markdown and placeholders, as the page shows it.
function shownText(line: string): string | undefined {
  const parts = line
    .replaceAll(/\]\([^)]*\)|\{\{[^}]*\}\}/g, ']')
    .split(/[\n*_`#>[\]|\\]+|^\s*(?:[-+]|\d+\.)\s/)
  const [longest = ''] = parts.map(oneSpaced).sort((a, b) => b.length - a.length)
  return longest.length >= SHORTEST ? longest : undefined
}

function findText(root: Element, text: string): Element | undefined {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (oneSpaced(node.nodeValue ?? '').includes(text)) return node.parentElement ?? undefined
  return undefined
}

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
