import type { Form, FormField } from './form.ts'

/** The response of `GET /api/forms/<slug>` (contract §5): everything a client needs to show the form. */
export interface PublicForm {
  slug: string
  name: string
  description: string | null
  /** Sent back as `_v`: answers are checked against the version that was shown. */
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
 * Settings stay private: the notification address is confidential, the name of the spam trap would help bots,
 * and the success texts come with the response to a post.
 */
export function toPublicForm({ slug, name, description, version, fields }: Form): PublicForm {
  return { slug, name, description, version, fields: fields.map(toPublicField) }
}

function toPublicField({ defaultValue, helpText, ...field }: FormField): PublicField {
  return { ...field, default_value: defaultValue, help_text: helpText }
}
