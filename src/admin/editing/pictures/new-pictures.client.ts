import { sendPicture, type UploadAnswer } from './send-picture.ts'

// The files of the picture dialog that are uploaded with their descriptions. The list gets a `change` event after one
// is added or removed.
const PREVIEW_PIXELS = 640

const list = document.querySelector<HTMLElement>('[data-new-pictures]')
const template = document.querySelector<HTMLTemplateElement>('[data-new-template]')
const rows = new Map<HTMLElement, File>()

export function countNewPictures(): number {
  return rows.size
}

export function addNewPictures(files: readonly File[]): void {
  const [first] = files.flatMap(addRow)
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

/** Uploads the files one after another. Those that are refused stay, with the reason. */
export async function sendNewPictures(
  onProgress: (name: string, percent: number) => void,
): Promise<NonNullable<UploadAnswer['added']>[]> {
  const sent: NonNullable<UploadAnswer['added']>[] = []
  for (const [row, file] of [...rows]) {
    const progress = (percent: number) => onProgress(file.name, percent)
    const { added, refused } = await sendPicture(file, { alt: altOf(row), onProgress: progress })
    if (!added) {
      say(row, refused ?? list?.dataset.lost ?? '')
      continue
    }
    sent.push(added)
    remove(row)
  }
  return sent
}

function addRow(file: File): HTMLElement[] {
  const row = template?.content.firstElementChild?.cloneNode(true)
  if (!(row instanceof HTMLElement)) return []
  row.querySelector('fieldset')?.setAttribute('aria-label', file.name)
  const name = row.querySelector('[data-file-name]')
  if (name) name.textContent = file.name
  const button = row.querySelector('button')
  const label = (button?.getAttribute('aria-label') ?? '').replace('%', () => file.name)
  button?.setAttribute('aria-label', label)
  button?.addEventListener('click', () => remove(row))
  rows.set(row, file)
  list?.append(row)
  void draw(file, row.querySelector('canvas'))
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
async function draw(file: File, canvas: HTMLCanvasElement | null) {
  const picture = await createImageBitmap(file, { resizeWidth: PREVIEW_PIXELS }).catch(() => undefined)
  if (!picture || !canvas) return
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  picture.close()
}
