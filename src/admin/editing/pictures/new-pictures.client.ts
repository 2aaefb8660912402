import type { PictureOption } from './picture-option.ts'
import { describePicture, sendPicture, type UploadAnswer } from './send-picture.ts'

// Files that are uploaded with their descriptions, in the picture dialog and the library, and pictures of the library
// that still need one. The list gets a `change` event after one is added or removed.
const PREVIEW_PIXELS = 640

const list = document.querySelector<HTMLElement>('[data-new-pictures]')
const template = document.querySelector<HTMLTemplateElement>('[data-new-template]')
const rows = new Map<HTMLElement, File | PictureOption>()
// One after another, because a phone has no memory for many large photos.
let drawing = Promise.resolve()

export function countNewPictures(): number {
  return rows.size
}

/** Lists those that are files to upload. */
export function listNewFiles(): File[] {
  return [...rows.values()].filter((picture) => picture instanceof File)
}

export function addNewPictures(pictures: readonly (File | PictureOption)[]): void {
  const [first] = pictures.flatMap(addRow)
  tell()
  first?.querySelector('textarea')?.focus()
}

export function clearNewPictures(): void {
  for (const row of rows.keys()) row.remove()
  rows.clear()
  tell()
}

/** Marks the files without a description; returns true if there are none. */
export function checkDescriptions(): boolean {
  const missing = [...rows.keys()].filter((row) => altOf(row) === undefined)
  for (const row of rows.keys()) say(row, missing.includes(row) ? (list?.dataset.missing ?? '') : '')
  missing[0]?.querySelector('textarea')?.focus()
  return missing.length === 0
}

/** Uploads and describes them one after another. Those that are refused stay, with the reason. */
export async function sendNewPictures(
  onProgress: (name: string, percent: number) => void,
): Promise<NonNullable<UploadAnswer['added']>[]> {
  const sent: NonNullable<UploadAnswer['added']>[] = []
  for (const [row, picture] of [...rows]) {
    const progress = (percent: number) => onProgress(picture.name, percent)
    const alt = altOf(row) ?? ''
    const { added, refused } = await (picture instanceof File
      ? sendPicture(picture, { alt, onProgress: progress })
      : describePicture(picture, alt))
    if (!added) {
      say(row, refused ?? list?.dataset.lost ?? '')
      continue
    }
    sent.push(added)
    remove(row)
  }
  return sent
}

function addRow(picture: File | PictureOption): HTMLElement[] {
  const row = template?.content.firstElementChild?.cloneNode(true)
  if (!(row instanceof HTMLElement)) return []
  row.querySelector('fieldset')?.setAttribute('aria-label', picture.name)
  const name = row.querySelector('[data-file-name]')
  if (name) name.textContent = picture.name
  const button = row.querySelector('button')
  const label = (button?.getAttribute('aria-label') ?? '').replace('%', () => picture.name)
  button?.setAttribute('aria-label', label)
  button?.addEventListener('click', () => remove(row))
  rows.set(row, picture)
  list?.append(row)
  drawing = drawing.then(() => (rows.has(row) ? draw(picture, row.querySelector('canvas')) : undefined))
  return [row]
}

function remove(row: HTMLElement) {
  rows.delete(row)
  row.remove()
  tell()
}

function tell() {
  list?.dispatchEvent(new Event('change'))
}

/** Returns the description, empty for a decorative picture; undefined if neither was given. */
function altOf(row: HTMLElement): string | undefined {
  if (row.querySelector<HTMLInputElement>('[data-decorative]')?.checked) return ''
  return row.querySelector('textarea')?.value.trim() || undefined
}

function say(row: HTMLElement, text: string) {
  const problem = row.querySelector('[data-file-problem]')
  if (problem) problem.textContent = text
  row.querySelector('textarea')?.setAttribute('aria-invalid', String(text !== ''))
}

// On a canvas, because the admin's policy blocks addresses of local files.
async function draw(picture: File | PictureOption, canvas: HTMLCanvasElement | null) {
  const drawn = await toBitmap(picture).catch(() => undefined)
  if (!drawn || !canvas) return
  canvas.width = drawn.width
  canvas.height = drawn.height
  canvas.getContext('2d')?.drawImage(drawn, 0, 0)
  drawn.close()
}

async function toBitmap(picture: File | PictureOption): Promise<ImageBitmap> {
  if (picture instanceof File) return createImageBitmap(picture, { resizeWidth: PREVIEW_PIXELS })
  const image = new Image()
  image.src = picture.image
  await image.decode()
  return createImageBitmap(image)
}
