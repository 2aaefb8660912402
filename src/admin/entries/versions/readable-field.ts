import { formatDay, formatMoment } from '#src/admin/kit/format-time.ts'
import { readableValue } from '#src/admin/versions/readable-value.ts'
import type { ValueChange } from '#src/entries/history/compare-snapshots.ts'
import { meaningOf } from '#src/entries/types/builtin/registry.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { isEmpty } from '#src/entries/types/field-values.ts'
import { labelOfSection } from '#src/entries/types/page-sections.ts'
import { isTurnedOff } from '#src/entries/types/read-order.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { entryInputs, entryTexts } from '#src/messages/admin/entries.ts'
import { versionValues } from '#src/messages/admin/history/versions.ts'
import { spokenName } from '#src/site/settings/setting-field.ts'

type OwnKey = Extract<ValueChange['key'], { own: unknown }>['own']

/** Formats a value of the entry itself as its editor does. */
export function readableOwn(
  { isRoutable }: Pick<ContentType, 'isRoutable'>,
  key: OwnKey,
  { value, timeZone }: { value: unknown; timeZone: string },
): string {
  if (isEmpty(value)) return ''
  const { published, inUse, draft } = entryInputs.status
  if (key === 'status') return value === 'draft' ? draft : isRoutable ? published : inUse
  return key === 'publishAt' || key === 'unpublishAt'
    ? formatMoment(String(value), timeZone)
    : readableValue(value)
}

/** Formats a field's value as its editor does: rows with the labels of their parts, and choices by their labels. */
export function readableField(type: Pick<ContentType, 'slug'>, field: SchemaField, value: unknown): string {
  if (isEmpty(value)) return ''
  const { fields: parts } = field
  if (parts && Array.isArray(value))
    return value.map((row, index) => versionValues.item(index + 1, rowText(type, parts, row))).join('\n')
  if (typeof value === 'boolean') return value ? entryTexts.yes : entryTexts.no
  if (field.type === 'date') return formatDay(String(value), 'UTC')
  if (meaningOf(type.slug, field.key)?.control === 'sections' && Array.isArray(value))
    return value
      .map(String)
      .filter((name) => !isTurnedOff(name))
      .map(labelOfSection)
      .join('\n')
  return field.options ? spokenName(String(value)) : readableValue(value)
}

function rowText(type: Pick<ContentType, 'slug'>, parts: readonly SchemaField[], row: unknown): string {
  const values = Object(row) as Record<string, unknown>
  return parts
    .filter(({ key }) => !isEmpty(values[key]))
    .map((part) => versionValues.part(part.label, readableField(type, part, values[part.key])))
    .join('\n')
}
