import {
  addNewPictures,
  checkDescriptions,
  countNewPictures,
  sendNewPictures,
} from '../editing/pictures/new-pictures.client.ts'

// Lists each picture that is chosen, dropped, pasted, or photographed, and uploads it with its description. Without
// this script, the form posts all of them at once.
const form = document.querySelector<HTMLFormElement>('form[data-upload]')
const input = form?.querySelector<HTMLInputElement>('input[name="files"]')
const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]')
const status = form?.querySelector<HTMLElement>('[data-upload-status]')
const camera = form?.querySelector<HTMLElement>('[data-camera]')

if (form && input) {
  input.addEventListener('change', () => takeFrom(input))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  form.querySelector('[data-new-pictures]')?.addEventListener('change', showState)
  camera?.removeAttribute('hidden')
  camera?.querySelector('input')?.addEventListener('change', ({ target }) => {
    takeFrom(target as HTMLInputElement)
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
    // Word processors copy a picture of the text too.
    const isText = target instanceof HTMLTextAreaElement && clipboardData?.types.includes('text/plain')
    if (!isText) take(clipboardData?.files)
  })
  addEventListener('beforeunload', (event) => {
    if (countNewPictures() > 0) event.preventDefault()
  })
}

function takeFrom(source: HTMLInputElement) {
  take(source.files)
  source.value = ''
}

function take(files: FileList | null | undefined) {
  const pictures = [...(files ?? [])]
  if (pictures.length > 0) addNewPictures(pictures)
}

function showState() {
  const isDescribing = countNewPictures() > 0
  form?.toggleAttribute('data-describing', isDescribing)
  if (input) input.required = !isDescribing
}

// Refused pictures stay, with the reason.
async function send() {
  if (!button || button.disabled || countNewPictures() === 0 || !checkDescriptions()) return
  button.disabled = true
  await sendNewPictures((name, percent) => {
    const uploading = (form?.dataset.progress ?? '').replace('%', () => name)
    say(`${uploading} ${Math.round(percent)}%`)
  })
  button.disabled = false
  say('')
  if (countNewPictures() === 0) location.assign('/admin/pictures')
}

function say(text: string) {
  if (status) status.textContent = text
}
