import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { withoutUnusableCharacters } from '../../lib/characters.ts'
import { isSameText } from '../../lib/posted-text.ts'
import { kitTexts } from '../../messages/admin/kit.ts'

/** A form on an admin page: its values, its messages, and the checked input after a post. */
export interface AdminForm<Input> {
  /** Values by field name: posted ones, or the initial ones. */
  values: Readonly<Record<string, FormValue>>
  /** Messages by field name; `''` holds those about the whole form. */
  errors: Readonly<Record<string, readonly string[]>>
  /** The checked input; undefined if nothing was posted or something is invalid. */
  input: Input | undefined
  /** Shows a message at a field (or `''`) and sets status 422. */
  fail(field: string, message: string): void
  /** The version that the form was filled from: `based_on` among the values. */
  basedOn: string | undefined
  /** Reports that someone else saved this thing (`term`) in the meantime, as `version`, and sets status 409. */
  outdate(thing: string, version: string): void
}

export type FormValue = string | readonly string[]

/** The posted form unchanged, for a schema that reads it in its own way. */
export const POSTED: z.ZodType<Readonly<Record<string, FormValue>>> = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())]),
)

/**
 * Returns the page's form: initial values on a GET; on a POST, the posted values checked by `schema`. Names that end
 * in `[]` are lists. After a mistake, the page responds with 422, and its fields show the typed values and messages.
 */
export async function receiveForm<Schema extends z.ZodType>(
  astro: Pick<AstroGlobal, 'request' | 'response'>,
  schema: Schema,
  initial: Record<string, FormValue> = {},
): Promise<AdminForm<z.output<Schema>>> {
  const errors: Record<string, string[]> = {}
  const fail = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message]
    astro.response.status = 422
  }
  const isPosted = astro.request.method === 'POST'
  const values = isPosted ? await readForm(astro.request) : initial
  const parsed = isPosted ? schema.safeParse(values) : undefined
  for (const issue of parsed?.error?.issues ?? []) fail(issue.path.join('.'), issue.message)
  const input = parsed?.data && withStoredTexts(parsed.data, { posted: values, initial })
  const form: AdminForm<z.output<Schema>> = {
    values,
    errors,
    input,
    fail,
    basedOn: String(values.based_on ?? '') || undefined,
    outdate(thing, version) {
      fail('', kitTexts.outdated(thing))
      astro.response.status = 409
      form.basedOn = version
    },
  }
  return form
}

// Schemas trim texts; a text that came back unchanged keeps its stored form.
function withStoredTexts<Input>(
  input: Input,
  { posted, initial }: Record<'posted' | 'initial', Readonly<Record<string, FormValue>>>,
): Input {
  if (typeof input !== 'object' || input === null) return input
  const kept = Object.entries(input).flatMap(([name, value]) => {
    const [stored, text] = [initial[name], posted[name]]
    const isKept = typeof value === 'string' && typeof text === 'string' && typeof stored === 'string'
    return isKept && stored.trim() !== '' && isSameText(text, stored) ? [[name, stored]] : []
  })
  return { ...input, ...Object.fromEntries(kept) }
}

/**
 * Reads a posted form, without characters that pages can't show or PostgreSQL can't store. A body of another type
 * has no fields, so that the checks report what is missing.
 */
export async function readFormData(request: Request): Promise<FormData> {
  // Reads a copy, because Astro.rewrite() refuses a request whose body was read.
  const posted = await request
    .clone()
    .formData()
    .catch(() => new FormData())
  const usable = new FormData()
  for (const [name, value] of posted)
    usable.append(name, typeof value === 'string' ? withoutUnusableCharacters(value) : value)
  return usable
}

/** Returns the values posted by a button's form, as read by `schema`; undefined if they are invalid. */
export async function readPosted<Schema extends z.ZodType>(
  { request }: Pick<AstroGlobal, 'request'>,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  return schema.safeParse(await readForm(request)).data
}

/** Every value under each name of a posted form. */
export function valuesByName(posted: Readonly<Record<string, FormValue>>): Map<string, readonly string[]> {
  return new Map(Object.entries(posted).map(([name, value]) => [name, [value].flat()]))
}

/** The fields of a posted form: text, or a list where the name ends in `[]` (which the key leaves out). */
export async function readForm(request: Request): Promise<Record<string, FormValue>> {
  const texts = new Map<string, string>()
  const lists = new Map<string, string[]>()
  for (const [name, value] of await readFormData(request)) {
    if (typeof value !== 'string') continue
    const text = value.replaceAll('\r\n', '\n')
    if (!name.endsWith('[]')) texts.set(name, text)
    else lists.getOrInsert(name.slice(0, -2), []).push(text)
  }
  return Object.fromEntries([...texts, ...lists])
}
