/** Returns the content of the named fields as a text that is equal if and only if they are. */
export function contentOf(form: HTMLFormElement, read: (field: Element) => unknown): string {
  const fields = [...form.elements].filter(
    (field) => field.hasAttribute('name') && !(field instanceof HTMLButtonElement),
  )
  return JSON.stringify(fields.map((field) => [field.getAttribute('name'), read(field)]))
}

/** Returns a field's current value. */
export function currentValue(field: Element): unknown {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value)
  if (field instanceof HTMLTextAreaElement) return field.value
  if (field instanceof HTMLInputElement) return isTick(field) ? field.checked : field.value
  return null
}

/** Returns a field's value when the page was loaded, even if the browser has restored typed text after a reload. */
export function savedValue(field: Element): unknown {
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].filter(({ defaultSelected }) => defaultSelected)
    const shown = chosen.length > 0 || field.multiple ? chosen : [...field.options].slice(0, 1)
    return shown.map(({ value }) => value)
  }
  if (field instanceof HTMLTextAreaElement) return field.defaultValue
  if (field instanceof HTMLInputElement) return isTick(field) ? field.defaultChecked : cleanedValue(field)
  return null
}

// In the form that browsers show, which drops invalid numbers, dates, and colors.
function cleanedValue({ type, defaultValue }: HTMLInputElement): string {
  const probe = document.createElement('input')
  probe.type = type
  probe.value = defaultValue
  return probe.value
}

function isTick({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio'
}
