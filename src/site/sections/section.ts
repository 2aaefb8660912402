import { z } from 'zod'
import { Failure } from '../../lib/messages.ts'
import { ownSectionFailures } from '../../messages/server/own-sections.ts'
import type { PageView } from '../pages/page.ts'
import type { EntryPicture } from '../pictures/entry-picture.ts'

export { z } from 'zod'
export type { EntryPicture } from '../pictures/entry-picture.ts'

/** A site's own section, as defined in the file beside its component. */
export interface Section<Shape extends z.ZodRawShape = z.ZodRawShape> {
  label?: string
  pages?: readonly ('home' | 'service' | 'location_service')[]
  fields: z.ZodObject<Shape>
}

/**
 * Defines a section of `src/components/sections`, in the file with the same name: `SeasonalOffer.ts` beside
 * `SeasonalOffer.astro`. Use `z` for its fields; `meta({ title, description, lines })` sets a label, a hint, and a
 * text area. Without `pages`, every kind of page can show it. Throws if the fields are missing.
 */
export function defineSection<Shape extends z.ZodRawShape>(
  definition: Omit<Section, 'fields'> & { fields: Shape },
): Section<Shape> {
  if (!definition?.fields) throw new Failure(ownSectionFailures, 'fieldsMissing')
  const { fields, ...section } = definition
  return { ...section, fields: z.object(fields) }
}

/** A picture of the library, selected by name. The component receives the picture itself. */
export function picture(): z.ZodType<EntryPicture, string> {
  return z.string().min(1).meta({ field: 'picture' }) as unknown as z.ZodType<EntryPicture, string>
}

/** Several pictures of the library. */
export function pictures(): z.ZodType<EntryPicture[], string[]> {
  return z.array(z.string().min(1)).meta({ field: 'pictures' }) as unknown as z.ZodType<
    EntryPicture[],
    string[]
  >
}

/** The props of a section's component: its fields by name, and the page. */
export type SectionProps<Of extends Section<z.ZodRawShape>> = z.output<Of['fields']> & { view: PageView }
