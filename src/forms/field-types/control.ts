/** Attributes of a field's `<input>` or `<textarea>` besides its name, so that browsers can check the same rules. */
export interface ControlAttributes {
  type?: string
  autocomplete?: string
  inputmode?: 'decimal'
  step?: 'any'
  min?: number | string
  max?: number | string
  minlength?: number
  maxlength?: number
  pattern?: string
  /** File types, as a hint for the file picker. */
  accept?: string
  /** Shown by the browser when the pattern doesn't match. */
  title?: string
}
