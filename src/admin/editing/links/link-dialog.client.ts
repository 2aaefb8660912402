import { linkTexts as texts } from '#src/messages/admin/editing.ts'
import type { LinkOption } from './link-option.ts'
import { markdownLink, typedAddress } from './markdown-link.ts'

// The toolbar button opens a dialog that offers the pages of the site by name, beside any address.
const SEARCH_DELAY_MS = 200

const dialog = copyOf<HTMLDialogElement>('[data-link-template]')
const part = <Part extends HTMLElement>(name: string) => dialog?.querySelector<Part>(`[data-link-${name}]`)
const text = part<HTMLInputElement>('text')
const address = part<HTMLInputElement>('address')
const results = part('results')
const status = part('status')

let found: LinkOption[] = []
/** Number of the newest search; responses to earlier ones are ignored. */
let asked = 0
let typing: ReturnType<typeof setTimeout> | undefined
let insert: (link: string) => void = () => {}

if (dialog) {
  document.body.append(dialog)
  for (const button of document.querySelectorAll<HTMLElement>('[data-insert-link]'))
    button.addEventListener('click', () => {
      const toolbar = button.closest('markdown-toolbar')
      const field = document.getElementById(toolbar?.getAttribute('for') ?? '')
      if (field instanceof HTMLTextAreaElement) open(field)
    })
  address?.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(search, SEARCH_DELAY_MS)
  })
  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = typedAddress(address?.value ?? '')
    if (typed !== undefined) finish({ name: '', path: typed })
    else if (found[0]) finish(found[0])
  })
  part('cancel')?.addEventListener('click', () => dialog.close())
}

function open(field: HTMLTextAreaElement) {
  if (!dialog || !text || !address) return
  const { selectionStart, selectionEnd } = field
  const selected = field.value.slice(selectionStart, selectionEnd)
  const isAddress = typedAddress(selected) !== undefined
  text.value = isAddress ? '' : selected
  address.value = isAddress ? selected : ''
  insert = (link) => {
    field.focus()
    field.setSelectionRange(selectionStart, selectionEnd)
    // So that Ctrl+Z undoes the insertion.
    if (!document.execCommand('insertText', false, link)) field.setRangeText(link)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  dialog.showModal()
  if (isAddress) text.focus()
  else address.focus()
  void search()
}

function finish({ name, path }: LinkOption) {
  dialog?.close()
  insert(markdownLink(text?.value || name, path))
}

// An address needs no search.
async function search() {
  asked += 1
  const mine = asked
  const typed = address?.value ?? ''
  const answer = typedAddress(typed) === undefined ? await ask(typed) : []
  if (mine !== asked) return
  found = answer ?? []
  showResults()
  const isEmpty = answer?.length === 0 && typedAddress(typed) === undefined
  if (status) status.textContent = !answer ? texts.lost : isEmpty ? texts.none : ''
}

// The focus stays in the list, or else returns to the search.
function showResults() {
  const isChoosing = results?.contains(document.activeElement)
  results?.replaceChildren(...found.flatMap(rowOf))
  if (isChoosing) (results?.querySelector('button') ?? address)?.focus()
}

async function ask(typed: string): Promise<LinkOption[] | undefined> {
  const answer = await fetch(`/admin/links?${new URLSearchParams({ q: typed })}`).catch(() => undefined)
  return answer?.ok ? answer.json() : undefined
}

function rowOf(option: LinkOption): HTMLElement[] {
  const row = copyOf<HTMLElement>('[data-link-result-template]')
  if (!row) return []
  for (const [name, value] of Object.entries(option)) {
    const element = row.querySelector(`[data-${name}]`)
    if (element) element.textContent = value
  }
  row.querySelector('button')?.addEventListener('click', () => finish(option))
  return [row]
}

function copyOf<Part extends HTMLElement>(template: string): Part | undefined {
  const first = document.querySelector<HTMLTemplateElement>(template)?.content.firstElementChild
  return first?.cloneNode(true) as Part | undefined
}
