import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { personProblems } from '../../messages/admin/privacy/privacy.ts'
import { type Person, readPerson } from '../../privacy/person.ts'
import { type AdminForm, type FormValue, receiveForm } from '../kit/admin-form.ts'
import { checkbox, optionalText } from '../kit/form-values.ts'

const FIELDS = {
  email: optionalText(254),
  phone: optionalText(60),
  text: optionalText(200),
  deletes_mentions: checkbox,
  confirmed: checkbox,
  confirmation: z.string().default(''),
  password: z.string().default(''),
}

/** The form with search terms for a person, and the confirmation of an erasure. */
interface PersonForm {
  form: AdminForm<z.output<z.ZodObject<typeof FIELDS>>>
  /** Undefined if none was posted, or one of them is invalid. */
  person: Person | undefined
}

/** Reads the search terms. They are posted and never in a URL, because logs and histories keep URLs. */
export async function receivePerson(
  astro: Pick<AstroGlobal, 'request' | 'response' | 'locals'>,
): Promise<PersonForm> {
  const form = await receiveForm(astro, z.object(FIELDS))
  if (!form.input) return { form, person: undefined }
  const { email, phone, text, deletes_mentions: deletesMentions } = form.input
  const { country } = astro.locals.app.siteLocale.current()
  const person = readPerson({ email, phone, text, deletesMentions }, country)
  if (typeof person !== 'string') return { form, person }
  form.fail(person === 'nothing' ? '' : person, personProblems[person])
  return { form, person: undefined }
}

/** The names and values that pass a search on to the next page. */
export function handOn(values: Readonly<Record<string, FormValue>>): [name: string, value: string][] {
  return ['email', 'phone', 'text'].flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
}
