import {
  addNewPictures,
  checkDescriptions,
  countNewPictures,
  listNewFiles,
  sendNewPictures,
} from '../editing/pictures/new-pictures.client.ts'

// Lists each picture that is chosen, dropped, pasted, or photographed, and uploads it with its description. Without
// this script, the form posts all of them at once.
const form = document.querySelector<HTMLFormElement>('form[data-upload]')
const input = form?.querySelector<HTMLInputElement>('input[name="files"]')
const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]')
const status = form?.querySelector<HTMLElement>('[data-upload-status]')
const camera = form?.querySelector<HTMLInputElement>('[data-camera]')

if (form && input) {
  input.addEventListener('change', () => take(input.files))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  form.querySelector('[data-new-pictures]')?.addEventListener('change', showState)
  camera?.addEventListener('change', () => take(camera.files))
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

function take(files: FileList | null | undefined) {
  const pictures = [...(files ?? [])]
  if (pictures.length > 0) addNewPictures(pictures)
}

// The field names the listed files, however they were added, until they are uploaded.
function showState() {
  form?.toggleAttribute('data-describing', countNewPictures() > 0)
  if (!input || button?.disabled) return
  const listed = new DataTransfer()
  for (const file of listNewFiles()) listed.items.add(file)
  input.files = listed.files
}

// Refused pictures stay, with the reason.
async function send() {
  if (!button || button.disabled || countNewPictures() === 0 || !checkDescriptions()) return
  button.disabled = true
  await sendNewPictures((name, percent) => {
    const uploading = (form?.dataset.progress ?? '').replace('%', () => name)
    say(`${uploading} ${Math.round(percent)}%`)
  })
  if (countNewPictures() === 0) return location.assign('/admin/pictures')
  button.disabled = false
  say('')
  showState()
}

function say(text: string) {
  if (status) status.textContent = text
}
