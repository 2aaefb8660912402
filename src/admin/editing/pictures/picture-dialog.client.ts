import {
  addNewPictures,
  checkDescriptions,
  clearNewPictures,
  countNewPictures,
  listNewFiles,
  sendNewPictures,
} from './new-pictures.client.ts'
import type { PictureOption } from './picture-option.ts'

// Selects pictures from the library by search, tag, and keyboard, and uploads new ones: chosen, dropped, pasted, or
// photographed.
const SEARCH_DELAY_MS = 250

interface Found {
  pictures: PictureOption[]
  tags: string[]
  hasMore: boolean
}

type Choose = (pictures: PictureOption[]) => void

const dialog = document.querySelector<HTMLDialogElement>('dialog[data-picture-dialog]')
const part = <Part extends HTMLElement>(name: string) => dialog?.querySelector<Part>(`[data-${name}]`)
const search = part<HTMLInputElement>('picture-search')
const tag = part<HTMLSelectElement>('picture-tag')
const options = part('picture-options')
const status = part('picture-status')
const more = part<HTMLButtonElement>('more-pictures')
const use = part<HTMLButtonElement>('use-pictures')
const drop = part('drop')
const template = part<HTMLTemplateElement>('option-template')

const shown = new Map<string, PictureOption>()
let choose: Choose = () => {}
let isMany = false
let page = 1
/** Number of the newest search; responses to earlier ones are ignored. */
let asked = 0
let typing: ReturnType<typeof setTimeout> | undefined

/** Opens the dialog for one or several pictures; `done` receives the selection. */
export function choosePictures({ many }: { many: boolean }, done: Choose): void {
  if (!dialog || !search || !use) return
  isMany = many
  choose = done
  for (const input of dialog.querySelectorAll<HTMLInputElement>('[data-picture-files]')) input.multiple = many
  clearNewPictures()
  search.value = ''
  say('')
  dialog.showModal()
  search.focus()
  void find({ isNew: true })
}

if (dialog) {
  search?.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(() => find({ isNew: true }), SEARCH_DELAY_MS)
  })
  tag?.addEventListener('change', () => find({ isNew: true }))
  more?.addEventListener('click', () => find({ isNew: false }))
  use?.addEventListener('click', finish)
  options?.addEventListener('change', showState)
  options?.addEventListener('dblclick', finish)
  options?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    // Otherwise the same key press would activate the refocused button and reopen the dialog.
    event.preventDefault()
    void finish()
  })
  part('back-to-library')?.addEventListener('click', () => {
    clearNewPictures()
    sayIfEmpty()
  })
  part('new-pictures')?.addEventListener('change', showState)
  for (const button of dialog.querySelectorAll('[data-close-dialog]'))
    button.addEventListener('click', () => dialog.close())
  for (const input of dialog.querySelectorAll<HTMLInputElement>('[data-picture-files]'))
    input.addEventListener('change', () => {
      take(input.files)
      input.value = ''
    })
  drop?.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.toggleAttribute('data-dragging', true)
  })
  drop?.addEventListener('dragleave', () => drop.removeAttribute('data-dragging'))
  drop?.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.removeAttribute('data-dragging')
    take(event.dataTransfer?.files)
  })
  dialog.addEventListener('paste', ({ clipboardData }) => take(clipboardData?.files))
}

async function find({ isNew }: { isNew: boolean }) {
  page = isNew ? 1 : page + 1
  asked += 1
  const mine = asked
  const params = new URLSearchParams({ q: search?.value ?? '', tag: tag?.value ?? '', page: String(page) })
  const found = await ask(params)
  if (mine !== asked) return
  if (!found) return say(dialog?.dataset.lost ?? '', { isWrong: true })
  if (isNew) {
    options?.replaceChildren()
    shown.clear()
  }
  for (const picture of found.pictures) options?.append(...optionOf(picture))
  if (more) more.hidden = !found.hasMore
  sayIfEmpty()
  offerTags(found.tags)
  showState()
}

async function ask(params: URLSearchParams): Promise<Found | undefined> {
  try {
    const answer = await fetch(`/admin/pictures/choices?${params}`)
    return answer.ok ? ((await answer.json()) as Found) : undefined
  } catch {
    return undefined
  }
}

function optionOf(picture: PictureOption): HTMLElement[] {
  if (shown.has(picture.name)) return []
  shown.set(picture.name, picture)
  const copy = template?.content.cloneNode(true) as DocumentFragment | undefined
  const label = copy?.querySelector('label')
  const [image, input] = [copy?.querySelector('img'), copy?.querySelector('input')]
  if (picture.alt !== null) copy?.querySelector('[data-undescribed]')?.remove()
  const name = label?.querySelector('span > span')
  if (!label || !image || !input || !name) return []
  image.src = picture.image
  input.type = isMany ? 'checkbox' : 'radio'
  input.value = picture.name
  name.textContent = picture.name
  return [label]
}

function offerTags(tags: readonly string[]) {
  if (!tag) return
  const known = new Set([...tag.options].map(({ value }) => value))
  for (const one of tags) if (!known.has(one)) tag.add(new Option(one, one))
  tag.hidden = tag.options.length < 2
}

function chosenNames(): string[] {
  return [...(options?.querySelectorAll('input') ?? [])]
    .filter(({ checked }) => checked)
    .map(({ value }) => value)
}

// Shows either the library or the new pictures.
function showState() {
  const isNew = countNewPictures() > 0
  dialog?.toggleAttribute('data-describing', isNew)
  write(dialog?.querySelector('h2'), isNew ? 'describe' : isMany ? 'many' : 'one')
  const action = listNewFiles().length > 0 ? 'upload' : isNew ? 'save' : 'use'
  write(use, `${action}${isMany ? 'Many' : 'One'}`)
  if (use) use.disabled = !isNew && chosenNames().length === 0
}

function write(element: Element | null | undefined, text: string) {
  if (element) element.textContent = dialog?.dataset[text] ?? ''
}

async function finish() {
  if (countNewPictures() > 0 && !(await sendNew())) return
  const pictures = chosenNames().flatMap((name) => shown.get(name) ?? [])
  if (pictures.length === 0) return
  const undescribed = pictures.filter(({ alt }) => alt === null)
  if (undescribed.length > 0) return addNewPictures(undescribed)
  // Returns the focus to the opener, from where `choose` may move it.
  dialog?.close()
  choose(pictures)
}

function take(files: FileList | null | undefined) {
  const chosen = [...(files ?? [])]
  if (chosen.length === 0) return
  say('')
  addNewPictures(isMany ? chosen : chosen.slice(0, 1))
}

/** Uploads and describes the new pictures, and selects them. Returns false if one was refused or has no description. */
async function sendNew(): Promise<boolean> {
  if (!use || !checkDescriptions()) return false
  use.disabled = true
  const sent = await sendNewPictures((name, percent) => {
    const uploading = (dialog?.dataset.uploading ?? '').replace('%', () => name)
    say(`${uploading} ${Math.round(percent)}%`)
  })
  for (const picture of sent) select(picture)
  say(sent.map(({ text }) => text).join(' '))
  showState()
  return countNewPictures() === 0
}

function select(picture: PictureOption) {
  options
    ?.querySelector<HTMLInputElement>(`input[value="${CSS.escape(picture.name)}"]`)
    ?.closest('label')
    ?.remove()
  shown.delete(picture.name)
  options?.prepend(...optionOf(picture))
  const input = options?.querySelector('input')
  if (input) input.checked = true
}

function sayIfEmpty() {
  const isEmpty = shown.size === 0 && countNewPictures() === 0
  say(isEmpty ? (dialog?.dataset.none ?? '') : '')
}

function say(text: string, { isWrong = false } = {}) {
  if (!status) return
  status.textContent = text
  status.classList.toggle('text-error', isWrong)
}
