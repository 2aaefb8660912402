import type { PictureChoices } from '#src/pictures/picture-choices.ts'
import type { AdminForm } from '../../kit/admin-form.ts'

/** A form input for selecting pictures. */
export interface PictureInputProps {
  form: Pick<AdminForm<unknown>, 'values' | 'errors'>
  name: string
  label: string
  required?: boolean
  help?: string | undefined
  pictures: PictureChoices
}
