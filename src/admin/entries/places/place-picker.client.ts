import { placePickerTexts as texts } from '#src/messages/admin/editing.ts'
import { findTermsByName } from '#src/taxonomies/find-terms.ts'
import { ancestorsOf, type TermNode, type TermTree } from '#src/taxonomies/term-tree.ts'
import { countRow, offeredBy, offerRow, type PlaceRow, patternsOf, treeOf } from './offered-places.ts'

// Selects places in a tree and updates the patterns, which are what is saved. Typed patterns update the tree.
const MOST_FOUND = 50
const MOST_NAMED = 5

for (const element of document.querySelectorAll<HTMLElement>('[data-place-picker]')) void start(element)

interface Picker {
  tree: TermTree
  patterns: HTMLTextAreaElement
  list: HTMLElement
  count: HTMLElement
  missing: HTMLElement
  search: HTMLInputElement
  /** The visible rows with their boxes. */
  rows: Map<HTMLInputElement, PlaceRow & { share: HTMLElement | undefined }>
}

async function start(element: HTMLElement) {
  const part = <Part extends HTMLElement>(name: string) => element.querySelector<Part>(`[data-place-${name}]`)
  const [list, count, missing] = [part('list'), part('count'), part('missing')]
  const search = part<HTMLInputElement>('search')
  const patterns = element.querySelector('textarea')
  const response = await fetch(element.dataset.placePicker ?? '').catch(() => undefined)
  // Without the places, the patterns stay unchanged.
  if (!response?.ok || !list || !count || !missing || !search || !patterns) return
  const picker: Picker = {
    list,
    count,
    missing,
    search,
    patterns,
    tree: treeOf(await response.json()),
    rows: new Map(),
  }
  fold(part('patterns'), patterns)
  patterns.addEventListener('input', () => refresh(picker))
  search.addEventListener('input', () => show(picker))
  // Enter searches instead of saving.
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
  list.addEventListener('change', ({ target }) => tick(picker, target))
  show(picker)
  const tree = part('tree')
  if (tree) tree.hidden = false
}

function fold(element: HTMLElement | null, patterns: HTMLTextAreaElement) {
  const label = element?.querySelector('label')
  if (!element || !label) return
  label.textContent = texts.patterns
  const details = document.createElement('details')
  details.open = patterns.getAttribute('aria-invalid') === 'true'
  const summary = document.createElement('summary')
  summary.className = 'cursor-pointer text-sm font-medium'
  summary.textContent = texts.advanced
  details.append(summary, ...element.childNodes)
  element.append(details)
}

function show(picker: Picker) {
  const { tree, search, list, rows } = picker
  rows.clear()
  const isSearch = search.value.trim() !== ''
  const found = isSearch ? findTermsByName(tree, search.value) : []
  const shown = isSearch ? found.slice(0, MOST_FOUND) : tree.roots
  list.replaceChildren(
    ...shown.map((place) => item(picker, { place, isAlone: false }, { isFound: isSearch })),
  )
  if (shown.length === 0) list.append(noteWithLink(isSearch ? texts.nothingFound : texts.noPlaces))
  if (found.length > MOST_FOUND) list.append(note(texts.more))
  // A single country adds nothing.
  if (!isSearch && tree.roots.length === 1) list.querySelector('button')?.click()
  refresh(picker)
}

function item(picker: Picker, row: PlaceRow, { isFound = false } = {}): HTMLElement {
  const { place, isAlone } = row
  const line = create('div', 'flex items-center gap-1')
  const label = create('label', 'flex min-w-0 flex-1 items-center gap-2 py-1 text-sm')
  const box = create('input', 'checkbox checkbox-sm')
  box.type = 'checkbox'
  const isParent = !isAlone && place.children.length > 0
  const share = isParent ? create('span', 'quiet text-xs tabular-nums') : undefined
  label.append(box, create('span', '', isAlone ? texts.itself(place.name) : place.name))
  const above = ancestorsOf(place).map(({ name }) => name)
  if (isFound && above.length > 0) label.append(create('span', 'quiet text-xs', above.join(' › ')))
  if (share) label.append(share)
  picker.rows.set(box, { ...row, share })
  const element = create('li', '')
  element.append(line)
  if (!isFound) line.append(isParent ? opener(picker, place, element) : create('span', 'size-8 shrink-0'))
  line.append(label)
  return element
}

function opener(picker: Picker, place: TermNode, element: HTMLElement): HTMLButtonElement {
  const button = create('button', 'btn btn-ghost btn-square btn-sm', '▸')
  button.type = 'button'
  button.setAttribute('aria-label', texts.open(place.name))
  button.setAttribute('aria-expanded', 'false')
  let below: HTMLElement | undefined
  button.addEventListener('click', () => {
    below ??= inside(picker, place, element)
    const isOpen = button.getAttribute('aria-expanded') === 'true'
    below.hidden = isOpen
    button.setAttribute('aria-expanded', String(!isOpen))
    button.textContent = isOpen ? '▸' : '▾'
    refresh(picker)
  })
  return button
}

// Built when first opened, because few of thousands of places are looked at.
function inside(picker: Picker, place: TermNode, element: HTMLElement): HTMLElement {
  const list = create('ul', 'ml-4 border-l border-base-300 pl-2')
  const rows = [
    { place, isAlone: true },
    ...place.children.map((child) => ({ place: child, isAlone: false })),
  ]
  list.append(...rows.map((row) => item(picker, row)))
  element.append(list)
  return list
}

function tick(picker: Picker, target: EventTarget | null) {
  const row = target instanceof HTMLInputElement ? picker.rows.get(target) : undefined
  if (!row) return
  const { patterns, tree } = picker
  const isOffered = (target as HTMLInputElement).checked
  patterns.value = offerRow(patternsOf(patterns.value), row, { tree, isOffered }).join('\n')
  // As for typing, so that the page warns before leaving and the preview follows.
  patterns.dispatchEvent(new Event('input', { bubbles: true }))
}

function refresh({ tree, patterns, rows, count, missing }: Picker) {
  const offered = offeredBy(patternsOf(patterns.value), tree)
  for (const [box, row] of rows) {
    const counted = countRow(row, offered)
    box.checked = counted.offered === counted.all
    box.indeterminate = counted.offered > 0 && !box.checked
    if (row.share) row.share.textContent = texts.share(counted.offered, counted.all)
  }
  count.textContent = texts.count(offered.size, tree.byId.size)
  const others = [...tree.byId.values()].filter((place) => !offered.has(place)).map(({ name }) => name)
  const isPart = offered.size > 0 && others.length > 0
  missing.textContent = isPart
    ? texts.missing(others.slice(0, MOST_NAMED), Math.max(0, others.length - MOST_NAMED))
    : ''
}

function noteWithLink(text: string): HTMLElement {
  const link = create('a', 'link', texts.add)
  link.href = '/admin/taxonomies/locations'
  const element = note(`${text} `)
  element.append(link)
  return element
}

function note(text: string): HTMLElement {
  return create('li', 'quiet text-sm', text)
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, text?: string) {
  const element = document.createElement(tag)
  element.className = className
  if (text !== undefined) element.textContent = text
  return element
}
