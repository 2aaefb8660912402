/** Returns the content of the named fields as text that is equal only if they are. */
export function contentOf(form: HTMLFormElement, read: (field: Element) => unknown): string {
  const fields = [...form.elements].filter(
    (field) => field.hasAttribute('name') && !(field instanceof HTMLButtonElement),
  )
  return JSON.stringify(fields.map((field) => [field.getAttribute('name'), read(field)]))
}

/** Returns what a field holds now. */
export function currentValue(field: Element): unknown {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value)
  if (field instanceof HTMLTextAreaElement) return field.value
  if (field instanceof HTMLInputElement) return isTick(field) ? field.checked : field.value
  return null
}

/** Returns what a field held when the page came, even where the browser filled in what was typed before a reload. */
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

// As the browser would show it: it leaves out what cannot be a number, a date or a color.
function cleanedValue({ type, defaultValue }: HTMLInputElement): string {
  const probe = document.createElement('input')
  probe.type = type
  probe.value = defaultValue
  return probe.value
}

function isTick({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio'
}
