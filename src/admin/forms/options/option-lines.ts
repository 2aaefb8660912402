import { type FieldOption, formatOption, parseOption } from '#src/forms/fields/field-option.ts'

/** Reads options from a text, one per line. */
export function optionsOf(text: string): FieldOption[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseOption)
}

/** Writes options as lines; one without a value has its label as value. */
export function linesOf(options: readonly FieldOption[]): string {
  return options
    .map(({ label, value }) => ({ label: label.trim(), value: value.trim() || label.trim() }))
    .filter(({ label, value }) => label !== '' || value !== '')
    .map(formatOption)
    .join('\n')
}
