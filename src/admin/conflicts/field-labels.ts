import { TEXT } from '../../content-files/conflicts/changed-fields.ts'
import type { ContentDocument } from '../../content-files/document.ts'
import { meaningOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { ownValue } from '../../lib/names/own-value.ts'
import { scheduleBarTexts } from '../../messages/admin/editing.ts'
import { entryInputs, entryTexts } from '../../messages/admin/entries.ts'
import { referenceTexts } from '../../messages/admin/entry-problems.ts'
import { settingTexts } from '../../messages/admin/settings/setting-texts.ts'

const ENTRY: Readonly<Record<string, string>> = {
  title: entryInputs.title.label,
  status: entryInputs.status.label,
  publish_at: scheduleBarTexts.at,
  unpublish_at: entryInputs.unpublishAt.label,
  redirect_from: entryInputs.redirects.label,
  terms: entryTexts.terms,
  [TEXT]: entryInputs.text.label,
}

/** Returns the label that the editor has for a field of a content file; without one, the field's key. */
export function labelOfField(
  document: ContentDocument | null,
  field: string,
  types: readonly Pick<ContentType, 'slug' | 'fields'>[],
): string {
  if (document?.kind === 'site') return ownValue(settingTexts, field)?.label ?? field
  if (document?.kind !== 'entry') return field
  const label = ownValue(ENTRY, field)
  if (label) return label
  if (meaningOf(document.type, field)?.control === 'places') return referenceTexts.places.label
  const type = types.find(({ slug }) => slug === document.type)
  return type?.fields.find(({ key }) => key === field)?.label ?? field
}

/** Returns what people call a content file's subject: the title of an entry, the name of anything else. */
export function nameOfDocument(document: ContentDocument | null): string | undefined {
  if (document === null) return undefined
  switch (document.kind) {
    case 'entry':
      return document.title || undefined
    case 'site':
      return document.settings.name
    case 'picture':
      return document.name
    default:
      return document.definition.name
  }
}
