import { sendPicture } from '../editing/pictures/send-picture.ts'

// Uploads each picture separately, with progress, as soon as it is chosen, dropped, or pasted. Without this script,
// the form posts all of them at once.
const form = document.querySelector<HTMLFormElement>('form[data-upload]')
const input = form?.querySelector<HTMLInputElement>('input[name="files"]')
const list = form?.querySelector<HTMLElement>('[data-upload-list]')
const camera = form?.querySelector<HTMLElement>('[data-camera]')

const added: number[] = []
let waiting = Promise.resolve()

if (form && input && list) {
  input.addEventListener('change', () => take(input.files))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    take(input.files)
  })
  camera?.removeAttribute('hidden')
  camera?.querySelector('input')?.addEventListener('change', ({ target }) => {
    take((target as HTMLInputElement).files)
  })
  form.addEventListener('dragover', (event) => {
    event.preventDefault()
    form.toggleAttribute('data-dragging', true)
  })
  form.addEventListener('dragleave', () => form.removeAttribute('data-dragging'))
  form.addEventListener('drop', (event) => {
    event.preventDefault()
    form.removeAttribute('data-dragging')
    take(event.dataTransfer?.files)
  })
  document.addEventListener('paste', ({ clipboardData, target }) => {
    if (!(target instanceof HTMLTextAreaElement)) take(clipboardData?.files)
  })
}

function take(files: FileList | null | undefined) {
  const pictures = [...(files ?? [])]
  if (pictures.length === 0) return
  for (const picture of pictures) {
    const line = addLine(picture.name)
    waiting = waiting.then(() => send(picture, line))
  }
  if (input) input.value = ''
  waiting = waiting.then(finish)
}

function addLine(name: string) {
  const line = document.createElement('li')
  const text = document.createElement('span')
  const bar = document.createElement('progress')
  line.className = 'flex flex-wrap items-center gap-3'
  text.textContent = (form?.dataset.progress ?? '').replace('%', name)
  bar.className = 'progress w-40'
  bar.max = 100
  bar.value = 0
  line.append(bar, text)
  list?.append(line)
  return { line, text, bar, name }
}

async function send(picture: File, { line, text, bar, name }: ReturnType<typeof addLine>): Promise<void> {
  const onProgress = (percent: number) => {
    bar.value = percent
  }
  const { added: picked, refused } = await sendPicture(picture, { onProgress })
  bar.remove()
  if (picked) {
    added.push(picked.id)
    text.textContent = picked.text
    return
  }
  text.textContent = `${name}: ${refused ?? form?.dataset.lost ?? ''}`
  line.className = 'font-medium text-error'
}

// Continues to the descriptions. If a picture was refused, the page stays to show the reason.
function finish() {
  const [first] = added
  if (first === undefined) return
  const path = `/admin/pictures/descriptions?${added.map((id) => `picture=${id}`).join('&')}`
  if (!list?.querySelector('.text-error')) return location.assign(path)
  const link = list.querySelector<HTMLAnchorElement>('a') ?? document.createElement('a')
  link.href = path
  link.className = 'btn btn-sm self-start'
  link.textContent = form?.dataset.finish ?? ''
  list.append(link)
}
