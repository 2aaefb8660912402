/**
 * Attributes of a field's `<input>` or `<textarea>` beside its name, so that browsers check the same rules where they
 * can.
 */
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
  /** Kinds of files, as a hint to the chooser. */
  accept?: string
  /** Said by the browser when the pattern does not match. */
  title?: string
}
