/** The parts of a form's question that a template needs. */
export interface TemplateField {
  name: string
  type: string
  required: boolean
  hasOptions: boolean
}

/** The same of a question as its form has it. */
export function toTemplateField(field: {
  name: string
  type: string
  required: boolean
  options: readonly unknown[]
}): TemplateField {
  const { name, type, required, options } = field
  return { name, type, required, hasOptions: options.length > 0 }
}
