import { postedText } from '../../lib/posted-text.ts'
import { toContentTypeDefinition } from './content-type-definition.ts'
import type { ContentType } from './content-type-store.ts'
import { linesOf, type Posted, textAt } from './posted-fields.ts'
import type { ContentTypeInput } from './save-content-type.ts'
import type { SchemaField } from './schema-field.ts'

/**
 * Reads the content type that its form posted. Fields without a key and a label are ignored. Unchanged texts keep
 * the values stored in `existing`.
 */
export function readContentTypeInput(posted: Posted, existing?: ContentType): ContentTypeInput {
  const isRoutable = posted.has('is_routable')
  return {
    slug: textAt('slug', posted),
    name: postedText(textAt('name', posted), { stored: existing?.name ?? '' }),
    description: postedText(textAt('description', posted), { stored: existing?.description ?? '' }) || null,
    is_routable: isRoutable,
    route_pattern: textAt('route_pattern', posted) || null,
    detail_partial: textAt('detail_partial', posted) || null,
    schema: { fields: readFields(posted, existing) },
    sort_order: Number(textAt('sort_order', posted)) || 0,
  }
}

function readFields(posted: Posted, existing: ContentType | undefined): unknown[] {
  const fields: unknown[] = []
  for (let index = 0; posted.has(`fields.${index}.key`); index++) {
    const at = (name: string) => textAt(`fields.${index}.${name}`, posted)
    if (at('key') === '' && at('label') === '') continue
    const stored = existing?.fields.find(({ key }) => key === at('key'))?.label ?? ''
    const parts = at('type') === 'list' ? linesOf(at('parts')).map(readPart) : []
    fields.push({
      key: at('key'),
      label: postedText(at('label'), { stored }),
      type: at('type'),
      ...(posted.has(`fields.${index}.required`) && { required: true }),
      ...(parts.length > 0 && { fields: parts }),
    })
  }
  return fields
}

// `title | Title | text | required`
function readPart(line: string): unknown {
  const [key = '', label = '', type = '', required] = line.split('|').map((part) => part.trim())
  return {
    key,
    label: label || key,
    type: type || 'text',
    ...(required === 'required' && { required: true }),
  }
}

/** The parts of list items, in the format that `readContentTypeInput` reads. */
export function writeParts(fields: readonly SchemaField[] | undefined): string {
  return (fields ?? [])
    .map(({ key, label, type, required }) =>
      [key, label, type, ...(required ? ['required'] : [])].join(' | '),
    )
    .join('\n')
}

/** Converts a stored type to the input that leaves it unchanged. */
export function toContentTypeInput(type: ContentType): ContentTypeInput {
  return { slug: type.slug, ...toContentTypeDefinition(type) }
}

/** Returns whether the form can represent all fields of a type. Lists within lists are possible only in files. */
export function fitsTheForm({ fields }: ContentType): boolean {
  return fields.every((field) => field.fields?.every((part) => !part.fields) ?? true)
}
