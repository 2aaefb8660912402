/** What a field's `<input>` or `<textarea>` carries beside its name, so that a browser helps as far as it agrees with the rules. */
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
