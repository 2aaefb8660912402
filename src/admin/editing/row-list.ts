/** Returns the rows of a list itself, not of lists in it. */
export function rowsOf(list: Element): HTMLElement[] {
  const rows = list.querySelectorAll<HTMLElement>('[data-row]')
  return [...rows].filter((row) => row.closest('[data-rows]') === list)
}

/** Returns whether nothing is entered in a row; a save leaves such rows out. */
export function isEmptyRow(row: HTMLElement): boolean {
  const fields = row.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...fields].every((field) => (field.type === 'checkbox' ? !isTicked(field) : field.value === ''))
}

function isTicked(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  return field instanceof HTMLInputElement && field.checked
}
