import type { AstroGlobal } from 'astro'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import { findEntryById, findEntryName, listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import type { Entry } from '#src/entries/entry-store.ts'
import { compareSnapshots } from '#src/entries/history/compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { loadMergedDraft } from '#src/entries/history/merge-draft.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { loadRestored, restoreEntry } from '#src/entries/history/restore-entry.ts'
import { scheduleOf } from '#src/entries/history/scheduled-draft.ts'
import { type ContentType, findContentType } from '#src/entries/types/content-type-store.ts'
import { typeName } from '#src/messages/admin/entries.ts'
import { versionChanges } from '#src/messages/admin/history/versions.ts'
import { findDraft } from '#src/versions/version-store.ts'
import { loadShownSaves } from '../load-state.ts'
import { describeChanges, labelOf } from './describe-changes.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals'>

/** An entry with its type, and its versions. */
export interface VersionedEntry {
  type: ContentType
  entry: Entry
  versioned: Versioned
}

/** Finds the entry in the URL; undefined if there is none. */
export async function findVersionedEntry(context: Context): Promise<VersionedEntry | undefined> {
  const app = appOf(context)
  const { db } = app
  const type = await findContentType(db, context.params.type ?? '')
  const entry = await findEntryById(db, readId(context.params.id))
  if (!type || entry?.typeId !== type.id) return undefined
  const now = toSnapshot(entry, await listTermIdsOfEntry(db, entry.id))
  const name = await findEntryName(db, entry)
  const self = `/admin/entries/${type.slug}/${entry.id}`
  const versioned: Versioned = {
    ...{ subject: entrySubject(entry.id), name, self, now, hasPage: type.isRoutable, replacesDraft: true },
    trail: [
      { href: `/admin/entries/${type.slug}`, label: typeName(type) },
      { href: self, label: name },
    ],
    listLabels: (before, after) =>
      compareSnapshots(before as EntrySnapshot, after as EntrySnapshot, type.fields).map(({ key }) =>
        labelOf(type, key),
      ),
    describe: (before, after) =>
      describeChanges(db, type, {
        before: before as EntrySnapshot | undefined,
        after: after as EntrySnapshot,
        timeZone: app.siteLocale.current().timeZone,
      }),
    findShown: () => loadShownSaves(app, { type, entry }),
    async findSchedule() {
      const draft = await findDraft(db, entrySubject(entry.id))
      const snapshot = draft && (await loadMergedDraft(db, { entry, saved: now }, draft))
      return snapshot && scheduleOf(entry, { version: draft.version, snapshot })
    },
    contentToRestore: (stored) => loadRestored(db, { entry, saved: now }, stored),
    async restore({ id: versionId, state }, names) {
      const saving = savingBy(context, state === 'draft' ? 'admin' : 'restored')
      const outcome = await restoreEntry(db, { type, id: entry.id, versionId, names }, saving)
      return outcome.kind === 'saved' ? { kind: 'saved', value: { to: self } } : outcome
    },
    record: {
      ...{ action: 'entry.restored', id: entry.id },
      summary: versionChanges.restored(name, typeName(type)),
    },
  }
  return { type, entry, versioned }
}
