import type { Form, FormField } from './form.ts'

/** The form that `GET /api/forms/<slug>` returns (contract §5): everything a client needs to ask the questions. */
export interface PublicForm {
  slug: string
  name: string
  description: string | null
  /** Sent back as `_v`: answers are checked against the questions that were asked. */
  version: number
  fields: PublicField[]
}

interface PublicField {
  name: string
  type: FormField['type']
  label: string
  placeholder: string | null
  default_value: string | null
  required: boolean
  options: FormField['options']
  validation: FormField['validation']
  help_text: string | null
}

/**
 * Settings stay inside: the notification address is private, the decoy's name would tell a robot what to leave
 * empty, and the success texts come with the answer to a post.
 */
export function toPublicForm({ slug, name, description, version, fields }: Form): PublicForm {
  return { slug, name, description, version, fields: fields.map(toPublicField) }
}

function toPublicField({ defaultValue, helpText, ...field }: FormField): PublicField {
  return { ...field, default_value: defaultValue, help_text: helpText }
}
