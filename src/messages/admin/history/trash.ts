import { countOf } from '../../plural.ts'
import { typeName } from '../entries.ts'
import { termNoun } from '../terms.ts'

/** Deleted content that can be restored. */
export const trashTexts = {
  title: 'Trash',
  lead: (days: number) => `Deleted content stays here for ${days} days.`,
  empty: 'The trash is empty',
  emptyText: 'Content that you delete appears here.',
  name: 'Name',
  deleted: 'Deleted',
  byFile: 'Content file',
  byNobody: 'Unknown',
  left: 'Permanently deleted on',
  parts: (parts: number) => countOf(parts, { one: 'local page', other: 'local pages' }),
  inside: (parts: number) => `${parts} inside`,
  webhooks: (parts: number) => countOf(parts, { one: 'webhook', other: 'webhooks' }),
  form: 'Form',
  picture: 'Picture',
  pictures: 'Pictures',
  versions: (parts: number) => countOf(parts, { one: 'earlier version', other: 'earlier versions' }),
  notYours: 'Only owners and managers can restore forms.',
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  older: 'Older',
  newest: 'Newest',
  restored: (name: string, type: string) => `Restored "${name}" to ${type}`,
  isRestored: (name: string) => `"${name}" restored. Publish to show it again.`,
  isGone: 'This item is no longer in the trash.',
}

interface Named {
  subject: { kind: string }
  typeSlug: string
}

/** Returns what the type of something in the trash is called. */
export function typeOfTrashed({ subject, typeSlug }: Named): string {
  if (subject.kind === 'form') return trashTexts.form
  if (subject.kind === 'picture') return trashTexts.picture
  if (subject.kind !== 'term') return typeName({ slug: typeSlug, name: typeSlug })
  const { other } = termNoun(typeSlug)
  return other.charAt(0).toUpperCase() + other.slice(1)
}

/** Why something can’t come back. */
export const FAULTS_OF_TRASH = {
  picture_name_taken: ({ by }: { by: string }) =>
    `The library has a picture with this name, ${by}. Delete that picture first.`,
  trash_type_gone: () => 'Its content type was deleted.',
  trash_service_gone: () => 'Its service was deleted. Restore the service first.',
  trash_place_gone: () => 'Its place was deleted. Restore the place first.',
  trash_taxonomy_gone: () => 'Its list of categories was deleted.',
  trash_parent_gone: () => 'Its parent was deleted. Restore the parent first.',
  trash_page_place_gone: () => 'It has a local page in a deleted place. Restore the place first.',
  trash_page_service_gone: () => 'It has a local page of a deleted service. Restore the service first.',
}
