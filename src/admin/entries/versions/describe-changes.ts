import { readableValue } from '#src/admin/versions/readable-value.ts'
import type { DescribedChange } from '#src/admin/versions/versioned.ts'
import type { Db } from '#src/db/schema.ts'
import { listEntryNames } from '#src/entries/entry-lookup-store.ts'
import {
  type ComparedKey,
  compareSnapshots,
  nameOfKey,
  type ValueChange,
} from '#src/entries/history/compare-snapshots.ts'
import type { EntrySnapshot } from '#src/entries/history/entry-snapshot.ts'
import type { FieldMeaning } from '#src/entries/meanings/meaning.ts'
import { loadPlaces } from '#src/entries/offers/load-places.ts'
import { namePlaces } from '#src/entries/offers/name-places.ts'
import { offeredIn } from '#src/entries/offers/offer-service.ts'
import { meaningOf, rulesOf } from '#src/entries/types/builtin/registry.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { scheduleBarTexts } from '#src/messages/admin/editing.ts'
import { entryInputs, entryTexts } from '#src/messages/admin/entries.ts'
import { versionValues } from '#src/messages/admin/history/versions.ts'
import { listTermNames } from '#src/taxonomies/term-lookup-store.ts'
import { readableField, readableOwn } from './readable-field.ts'

type ComparedType = Pick<ContentType, 'slug' | 'fields' | 'isRoutable'>

/** Lists the differences between two versions of an entry, with names instead of IDs and times in a zone. */
export async function describeChanges(
  db: Db,
  type: ComparedType,
  { before, after, timeZone }: { before: EntrySnapshot | undefined; after: EntrySnapshot; timeZone: string },
): Promise<DescribedChange[]> {
  const changes = compareSnapshots(before, after, type.fields).map((change) => ({
    ...change,
    ids: idsIn(type, change.key),
  }))
  const names = await loadNames(db, changes)
  const places = changes.some(({ key }) => isOfPlaces(type, key)) ? await loadPlaces(db) : undefined
  const textOf = ({ key, ids }: NamedChange, value: unknown): string => {
    if (ids) return namesOf(value, names[ids])
    if (places && isOfPlaces(type, key)) return namePlaces(offeredIn({ data: { offered_in: value } }), places)
    if ('own' in key) return readableOwn(type, key.own, { value, timeZone })
    const field = type.fields.find((one) => one.key === key.field)
    return field ? readableField(type, field, value) : readableValue(value)
  }
  return changes.map((change) => ({
    key: nameOfKey(change.key),
    label: labelOf(type, change.key),
    before: textOf(change, change.before),
    after: textOf(change, change.after),
    isMarkdown: 'own' in change.key && change.key.own === 'body',
  }))
}

type NamedChange = ValueChange & { ids: FieldMeaning['ids'] }

function idsIn({ slug }: ComparedType, key: ComparedKey): FieldMeaning['ids'] {
  if ('field' in key) return meaningOf(slug, key.field)?.ids
  return key.own === 'termIds' ? 'terms' : undefined
}

function isOfPlaces({ slug }: ComparedType, key: ComparedKey): boolean {
  return 'field' in key && meaningOf(slug, key.field)?.control === 'places'
}

/** Returns the label that the editor has for a compared value. */
export function labelOf(
  { slug, isRoutable }: Pick<ContentType, 'slug' | 'isRoutable'>,
  key: ComparedKey,
): string {
  if ('field' in key) return meaningOf(slug, key.field)?.label ?? key.label
  const isPair = rulesOf(slug).inherits !== undefined
  return {
    title: isPair ? entryInputs.heading.label : entryInputs.title.label,
    slug: isRoutable ? entryInputs.slug.address : entryInputs.slug.label,
    status: entryInputs.status.label,
    body: isPair ? entryInputs.localText.label : entryInputs.text.label,
    publishAt: scheduleBarTexts.at,
    unpublishAt: entryInputs.unpublishAt.label,
    redirectFrom: entryInputs.redirects.label,
    termIds: entryTexts.terms,
  }[key.own]
}

type Names = Readonly<Record<'terms' | 'entries', ReadonlyMap<number, string>>>

async function loadNames(db: Db, changes: readonly NamedChange[]): Promise<Names> {
  const idsOf = (kind: keyof Names) =>
    changes
      .filter(({ ids }) => ids === kind)
      .flatMap(({ before, after }) => [...toIds(before), ...toIds(after)])
  return {
    terms: await listTermNames(db, idsOf('terms')),
    entries: await listEntryNames(db, idsOf('entries')),
  }
}

function namesOf(ids: unknown, names: ReadonlyMap<number, string>): string {
  return toIds(ids)
    .map((id) => names.get(id) ?? versionValues.gone(id))
    .join(', ')
}

function toIds(value: unknown): number[] {
  const list = Array.isArray(value) ? value : String(value ?? '').split(',')
  return list.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
}
