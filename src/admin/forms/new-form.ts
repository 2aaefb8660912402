import { z } from 'zod'
import type { DraftDefinition } from '../../forms/edit-form.ts'
import { slugOf } from '../../lib/slug.ts'
import { firstQuestions, formChanges } from '../../messages/admin/forms.ts'
import { optionalText, requiredText } from '../kit/form-values.ts'

const CONTACT = [
  { name: 'full_name', label: firstQuestions.name, required: true, validation: { max_length: 100 } },
  {
    name: 'email',
    type: 'email',
    label: firstQuestions.email,
    required: true,
    validation: { max_length: 150 },
  },
  {
    name: 'message',
    type: 'textarea',
    label: firstQuestions.message,
    required: true,
    validation: { max_length: 2000 },
  },
]

/** Starting points for a new form. */
export const BEGINNINGS = [
  { value: 'contact', label: formChanges.starts.contact },
  { value: 'nothing', label: formChanges.starts.nothing },
]

const slug = optionalText(80)

export const NEW_FORM = z.object({
  name: requiredText(formChanges.nameMissing),
  slug,
  description: optionalText(2_000),
  beginning: z.string().optional(),
})

/** The typed slug, or one made from the name. */
export function chooseSlug({ slug, name }: { slug: string | null; name: string }): string {
  return slug ?? slugOf(name)
}

/** A draft with a hidden spam trap. */
export function toDefinition({ name, description, beginning }: z.output<typeof NEW_FORM>): DraftDefinition {
  const fields = beginning === 'nothing' ? [] : CONTACT
  return { name, description, status: 'draft', settings: { honeypot: 'company_website' }, fields }
}
