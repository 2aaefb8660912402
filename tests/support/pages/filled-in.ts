import type { Page } from './read-page.ts'

/** Returns the fields of a long form as a browser would post them. A list has several values. */
export function filledIn(page: Page): Record<string, string | readonly string[]> {
  const { form } = page.getByRole<HTMLButtonElement>('button', { name: 'Save for next publish' })
  const fields: Record<string, string | string[]> = {}
  for (const control of form?.querySelectorAll<HTMLInputElement>('[name]:not(button, iframe)') ?? []) {
    if (/^(checkbox|radio)$/.test(control.type) && !control.checked) continue
    // A text area posts line breaks as CRLF; an input has none.
    const value = control.value.replaceAll('\n', control.tagName === 'TEXTAREA' ? '\r\n' : '')
    const [name = '', list] = control.name.split('[]')
    fields[name] = list === undefined ? value : [...(fields[name] ?? []), value]
  }
  return fields
}
