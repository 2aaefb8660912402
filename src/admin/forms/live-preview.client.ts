const DELAY_MS = 300
const MARGIN_PX = 24

/** Shows the field being edited in the frame beside the form; without this script, a button does. */
function previewAsTyped(form: HTMLFormElement, address: string, frame: HTMLIFrameElement): void {
  let timer: ReturnType<typeof setTimeout>
  let latest = 0

  async function show() {
    latest += 1
    const turn = latest
    const response = await fetch(address, { method: 'POST', body: new FormData(form) }).catch(() => undefined)
    const html = await response?.text()
    // Outdated responses are ignored. Replaces the location, so that it leaves no history entry.
    if (html !== undefined && turn === latest) frame.srcdoc = html
  }

  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(show, DELAY_MS)
  })
  form.querySelector<HTMLElement>('[data-preview-button]')?.remove()
  // Typed before this script loaded, or restored by the browser.
  if (differsFromPage(form)) show()
}

function differsFromPage(form: HTMLFormElement): boolean {
  const controls = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...controls].some(
    (one) =>
      one.value !== one.defaultValue ||
      (one instanceof HTMLInputElement && one.checked !== one.defaultChecked),
  )
}

/** Loads the settings of another type as soon as it is selected. */
function retypeAtOnce(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('[data-retype-button]')
  const choice = form.querySelector<HTMLSelectElement>('[data-retype]')
  if (!button || !choice) return
  button.hidden = true
  choice.addEventListener('change', () => form.requestSubmit(button))
}

/** Scrolls the edited field into view inside the frame; the page stays where it is. */
function showField({ contentDocument: shown, contentWindow: view }: HTMLIFrameElement): void {
  const name = document.querySelector<HTMLInputElement>('[data-previewed] [name=name]')?.value
  const wanted = [...(shown?.querySelectorAll('[name]') ?? [])].find(
    (one) => one.getAttribute('name') === name,
  )
  const target = wanted?.closest('[data-field]') ?? shown?.getElementById('form')
  if (target && view) view.scrollTo(0, target.getBoundingClientRect().top + view.scrollY - MARGIN_PX)
}

const previewFrame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]')
if (previewFrame) {
  previewFrame.addEventListener('load', () => showField(previewFrame))
  showField(previewFrame)
}
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-previewed]')) {
  if (previewFrame) previewAsTyped(form, form.dataset.previewed ?? '', previewFrame)
  retypeAtOnce(form)
}
