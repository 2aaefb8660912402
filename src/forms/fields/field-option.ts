/** One choice of a select, radio or checkbox field. */
export interface FieldOption {
  label: string
  value: string
}

/** Splits "label/value" at the last slash. Without a slash, the text is both. */
export function parseOption(text: string): FieldOption {
  const slash = text.lastIndexOf('/')
  if (slash === -1) return { label: text.trim(), value: text.trim() }
  return { label: text.slice(0, slash).trim(), value: text.slice(slash + 1).trim() }
}

/** Formats an option as "label/value", or as one text if both are equal. */
export function formatOption({ label, value }: FieldOption): string {
  return label === value && !label.includes('/') ? label : `${label}/${value}`
}
