import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connectSqlite } from '#src/db/connect.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { editTerm, loadTaxonomy, restoreTerm } from '#src/entries/terms/change-terms.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { editForm } from '#src/forms/edit-form.ts'
import { findForm } from '#src/forms/form-store.ts'
import { formSubject } from '#src/forms/history/record-form.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { restoreSettings } from '#src/site/settings/restore-settings.ts'
import { restoreForm } from '#src/site/settings/save-form-settings.ts'
import { LOCATIONS } from '#src/taxonomies/place-kind.ts'
import { termSubject } from '#src/taxonomies/record-term.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import type { Subject } from '#src/versions/version.ts'
import { listVersions } from '#src/versions/version-store.ts'

/** A version that was acknowledged, and the title or name in it. */
export interface Acknowledged {
  subject: Subject
  versionId: number
  title: string
}

// Saves, drafts, uses drafts, deletes, and restores, reporting each stored version, until it is killed.
const [path = '', place = '', formSlug = '', editor] = process.argv.slice(2)
const db = connectSqlite(path)
const edits = [editPage, editSettings, editPlace, editQuestions]

for (let turn = Math.floor(Math.random() * edits.length); ; turn++) await edits[turn % edits.length]?.()

async function editPage() {
  const type = await findContentType(db, 'pages')
  assert.ok(type)
  const slug = `p-${randomUUID()}`
  const text = () => ({ ...emptyEntryInput({}), slug, title: randomUUID(), body: 'Text '.repeat(200) })
  const first = text()
  const made = await saveEntry(db, { type, input: first }, now())
  assert.equal(made.kind, 'saved')
  const id = made.value
  const subject = entrySubject(id)
  await report(subject, first.title)
  const next = text()
  await saveEntry(db, { type, id, input: next }, now())
  await report(subject, next.title)
  const draft = text()
  await saveDraft(db, { type, id, input: draft }, now())
  await report(subject, draft.title)
  const versionId = (await findEntryDraft(db, id))?.version.id ?? 0
  await restoreEntry(db, { type, id, versionId }, now())
  await report(subject, draft.title)
  await deleteEntry(db, id, now())
  const [trashed] = await listTrash(db, { limit: 1 })
  if (Math.random() < 0.5) await restoreTrashedEntry(db, trashed?.id ?? 0, now())
}

function editSettings() {
  return throughRestore(SETTINGS_SUBJECT, {
    rename: (name) => changeSiteSettings(db, { changes: { name } }, now()),
    restore: (versionId) => restoreSettings(db, { versionId, mayChangeTags: true }, now()),
  })
}

async function editPlace() {
  const term = (await loadTaxonomy(db, LOCATIONS))?.tree.bySlug.get(place)
  assert.ok(term)
  const { id: termId, slug, description, parentId } = term
  return throughRestore(termSubject(termId), {
    rename: (name) => editTerm(db, LOCATIONS, { termId, edit: { name, slug, description, parentId } }, now()),
    restore: (versionId) => restoreTerm(db, LOCATIONS, { termId, versionId }, now()),
  })
}

async function editQuestions() {
  const form = await findForm(db, formSlug)
  assert.ok(form)
  const editing = () => ({ ...now(), updatedBy: Number(editor) })
  return throughRestore(formSubject(form.id), {
    rename: (name) => editForm(db, formSlug, (definition) => ({ ...definition, name }), editing()),
    restore: (versionId) => restoreForm(db, form, versionId, editing()),
  })
}

interface Edits {
  rename(name: string): Promise<{ kind: string }>
  restore(versionId: number): Promise<{ kind: string }>
}

async function throughRestore(subject: Subject, { rename, restore }: Edits) {
  const names = [randomUUID(), randomUUID()]
  for (const name of names) {
    assert.equal((await rename(name)).kind, 'saved')
    await report(subject, name)
  }
  const [, first] = await listVersions(db, subject, { limit: 2 })
  assert.equal((await restore(first?.id ?? 0)).kind, 'saved')
  await report(subject, names[0] ?? '')
}

function now() {
  return { now: new Date() }
}

async function report(subject: Subject, title: string) {
  const [version] = await listVersions(db, subject, { limit: 1 })
  process.send?.({ subject, versionId: version?.id ?? 0, title } satisfies Acknowledged)
}
