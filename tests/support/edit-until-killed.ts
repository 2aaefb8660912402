import { randomUUID } from 'node:crypto'
import { connectSqlite } from '#src/db/connect.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'

/** A saved or drafted text, and its entry. */
export interface Acknowledged {
  id: number
  title: string
}

// Saves, drafts, uses drafts, deletes, and restores, reporting each stored text, until it is killed.
const db = connectSqlite(process.argv[2] ?? '')
const type = await findContentType(db, 'pages')
if (!type) throw new Error('There is no type for pages')

for (;;) {
  const now = new Date()
  const slug = `p-${randomUUID()}`
  const text = () => ({ ...emptyEntryInput({}), slug, title: randomUUID(), body: 'Text '.repeat(200) })
  const first = text()
  const made = await saveEntry(db, { type, input: first }, { now })
  if (made.kind !== 'saved') throw new Error(made.kind)
  const id = made.value
  report({ id, title: first.title })
  const next = text()
  await saveEntry(db, { type, id, input: next }, { now })
  report({ id, title: next.title })
  const draft = text()
  await saveDraft(db, { type, id, input: draft }, { now })
  report({ id, title: draft.title })
  const versionId = (await findEntryDraft(db, id))?.version.id ?? 0
  await restoreEntry(db, { type, id, versionId }, { now })
  await deleteEntry(db, id, { now })
  const [trashed] = await listTrash(db, { limit: 1 })
  if (Math.random() < 0.5) await restoreTrashedEntry(db, trashed?.id ?? 0, { now })
}

function report(acknowledged: Acknowledged) {
  process.send?.(acknowledged)
}
