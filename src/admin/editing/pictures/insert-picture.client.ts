import { ownParagraph } from './own-paragraph.ts'
import { choosePictures } from './picture-dialog.client.ts'

// The toolbar button inserts a picture at the cursor, in a paragraph of its own.
for (const button of document.querySelectorAll<HTMLElement>('[data-insert-picture]'))
  button.addEventListener('click', () => {
    const toolbar = button.closest('markdown-toolbar')
    const field = document.getElementById(toolbar?.getAttribute('for') ?? '')
    if (field instanceof HTMLTextAreaElement)
      choosePictures({ many: false }, ([picture]) => picture && insert(field, picture))
  })

function insert(field: HTMLTextAreaElement, { name, alt }: { name: string; alt: string | null }) {
  const address = encodeURI(name).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
  const image = `![${(alt ?? '').replace(/[[\]\\]/g, '\\$&')}](${address})`
  const selection = { value: field.value, start: field.selectionStart, end: field.selectionEnd }
  const { text, start, end } = ownParagraph(image, selection)
  field.focus()
  field.setSelectionRange(start, end)
  // So that Ctrl+Z undoes the insertion.
  if (!document.execCommand('insertText', false, text)) field.setRangeText(text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
