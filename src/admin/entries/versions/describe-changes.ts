import { readableValue } from '#src/admin/versions/readable-value.ts'
import type { DescribedChange } from '#src/admin/versions/versioned.ts'
import type { Db } from '#src/db/schema.ts'
import { listEntriesById } from '#src/entries/entry-lookup-store.ts'
import {
  type ComparedKey,
  compareSnapshots,
  type ValueChange,
} from '#src/entries/history/compare-snapshots.ts'
import type { EntrySnapshot } from '#src/entries/history/entry-snapshot.ts'
import type { FieldMeaning } from '#src/entries/meanings/meaning.ts'
import { meaningOf } from '#src/entries/types/builtin/registry.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { versionFields } from '#src/messages/admin/history/versions.ts'
import { listTermNames } from '#src/taxonomies/term-lookup-store.ts'

const LABELS = { ...versionFields, termIds: versionFields.terms }
/** Lists the differences between two versions of an entry, with names instead of IDs. */
export async function describeChanges(
  db: Db,
  type: Pick<ContentType, 'slug' | 'fields'>,
  { before, after }: { before: EntrySnapshot | undefined; after: EntrySnapshot },
): Promise<DescribedChange[]> {
  const changes = compareSnapshots(before, after, type.fields).map((change) => ({
    ...change,
    ids: idsIn(type, change.key),
  }))
  const names = await loadNames(db, changes)
  return changes.map((change) => ({
    label: labelOf(change.key),
    before: textOf(change, change.before, names),
    after: textOf(change, change.after, names),
  }))
}

type NamedChange = ValueChange & { ids: FieldMeaning['ids'] }

function idsIn({ slug }: Pick<ContentType, 'slug'>, key: ComparedKey): FieldMeaning['ids'] {
  if ('field' in key) return meaningOf(slug, key.field)?.ids
  return key.own === 'termIds' ? 'terms' : undefined
}

/** Returns the label of a compared value. */
export function labelOf(key: ComparedKey): string {
  return 'own' in key ? LABELS[key.own] : key.label
}

type Names = Readonly<Record<'terms' | 'entries', ReadonlyMap<number, string>>>

async function loadNames(db: Db, changes: readonly NamedChange[]): Promise<Names> {
  const idsOf = (kind: keyof Names) =>
    changes
      .filter(({ ids }) => ids === kind)
      .flatMap(({ before, after }) => [...toIds(before), ...toIds(after)])
  const entries = await listEntriesById(db, idsOf('entries'))
  return {
    terms: await listTermNames(db, idsOf('terms')),
    entries: new Map([...entries].map(([id, { title, slug }]) => [id, title || slug])),
  }
}

function textOf({ key, ids }: NamedChange, value: unknown, names: Names): string {
  if (ids)
    return toIds(value)
      .map((id) => names[ids].get(id) ?? versionFields.gone(id))
      .join(', ')
  if ('own' in key && key.own === 'status' && value)
    return versionFields.statuses[value as EntrySnapshot['status']]
  return readableValue(value)
}

function toIds(value: unknown): number[] {
  const list = Array.isArray(value) ? value : String(value ?? '').split(',')
  return list.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
}
