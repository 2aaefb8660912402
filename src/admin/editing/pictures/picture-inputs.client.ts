import { picturePath } from './library-paths.ts'
import { choosePictures } from './picture-dialog.client.ts'
import type { PictureOption } from './picture-option.ts'

// Listens on the document, because rows of lists are copied.
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.closest('button')
  if (!button) return
  const [one, many] = [closest(button, 'data-picture-input'), closest(button, 'data-pictures-input')]
  if (one && button.hasAttribute('data-choose-picture'))
    choosePictures({ many: false }, ([picture]) => show(one, picture))
  else if (one && button.hasAttribute('data-clear-picture')) show(one, undefined)
  else if (many && button.hasAttribute('data-choose-pictures'))
    choosePictures({ many: true }, (pictures) => add(many, pictures))
  else if (many) rearrange(many, button)
})

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const input = target.closest<HTMLElement>('[data-picture-input]')
  const page = input?.querySelector<HTMLElement>('[data-picture-page]')
  if (page) page.hidden = target.value === '' || target.value !== page.dataset.picturePage
  const clear = input?.querySelector<HTMLElement>('[data-clear-picture]')
  if (!clear) return
  const hadFocus = clear === document.activeElement
  clear.hidden = target.value === ''
  if (clear.hidden && hadFocus) input?.querySelector<HTMLElement>('[data-choose-picture]')?.focus()
})

function closest(button: Element, mark: string): HTMLElement | null {
  return button.closest<HTMLElement>(`[${mark}]`)
}

function show(input: HTMLElement, picture: PictureOption | undefined) {
  const field = input.querySelector('input')
  const image = input.querySelector<HTMLImageElement>('[data-picture-shown]')
  if (!field || !image) return
  image.hidden = picture === undefined
  if (picture) {
    image.src = picture.image
    linkToPage(input, picture)
  }
  field.value = picture?.name ?? ''
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function linkToPage(input: HTMLElement, picture: PictureOption) {
  const page = input.querySelector<HTMLAnchorElement>('[data-picture-page]')
  if (!page) return
  page.href = picturePath(picture)
  page.dataset.picturePage = picture.name
}

function add(input: HTMLElement, pictures: readonly PictureOption[]) {
  const list = listOf(input)
  const template = document.querySelector<HTMLTemplateElement>('[data-card-template]')
  const present = new Set(namesIn(input))
  for (const picture of pictures.filter(({ name }) => !present.has(name))) {
    const card = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined
    if (!card) return
    list?.append(named(card, picture))
  }
  write(input)
}

function named(card: HTMLElement, { name, image }: PictureOption): HTMLElement {
  card.dataset.pictureCard = name
  const picture = card.querySelector('img')
  if (picture) picture.src = image
  const text = card.querySelector<HTMLElement>('[data-picture-name]')
  if (text) {
    text.textContent = name
    text.title = name
  }
  for (const button of card.querySelectorAll('button'))
    button.setAttribute(
      'aria-label',
      (button.getAttribute('aria-label') ?? '').replace('%', () => name),
    )
  return card
}

function rearrange(input: HTMLElement, button: HTMLButtonElement) {
  const card = button.closest<HTMLElement>('[data-picture-card]')
  const by = Number(button.dataset.movePicture ?? 0)
  if (!card) return
  if (button.hasAttribute('data-remove-picture')) remove(input, card)
  else if (by < 0) card.previousElementSibling?.before(card)
  else if (by > 0) card.nextElementSibling?.after(card)
  if (by !== 0) button.focus()
  write(input)
}

function remove(input: HTMLElement, card: HTMLElement) {
  const next = card.nextElementSibling ?? card.previousElementSibling
  card.remove()
  const focused =
    next?.querySelector<HTMLElement>('[data-remove-picture]') ??
    input.querySelector<HTMLElement>('[data-choose-pictures]')
  focused?.focus()
}

function listOf(input: HTMLElement) {
  return input.querySelector<HTMLElement>('[data-pictures-chosen]')
}

function namesIn(input: HTMLElement): string[] {
  const cards = listOf(input)?.querySelectorAll<HTMLElement>('[data-picture-card]') ?? []
  return [...cards].map(({ dataset }) => dataset.pictureCard ?? '')
}

// The text is what is posted, with one name per line.
function write(input: HTMLElement) {
  const field = input.querySelector('textarea')
  if (!field) return
  field.value = namesIn(input).join('\n')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
