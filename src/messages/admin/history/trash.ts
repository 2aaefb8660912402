import { countOf } from '../../plural.ts'

/** Deleted content that can be restored. */
export const trashTexts = {
  title: 'Trash',
  lead: (days: number) => `Deleted content stays here for ${days} days.`,
  empty: 'The trash is empty',
  emptyText: 'Content that you delete appears here.',
  name: 'Name',
  type: 'Type',
  deleted: 'Deleted',
  by: 'By',
  byFile: 'Content file',
  byNobody: 'Unknown',
  left: 'Permanently deleted on',
  parts: (parts: number) => countOf(parts, { one: 'local page', other: 'local pages' }),
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  older: 'Older',
  newest: 'Newest',
  restored: (name: string, type: string) => `Restored "${name}" to ${type}`,
  isRestored: (name: string) => `"${name}" restored. Publish to show it again.`,
  isGone: 'This item is no longer in the trash.',
}

/** Why something can’t come back. */
export const FAULTS_OF_TRASH = {
  trash_type_gone: () => 'Its content type was deleted.',
  trash_service_gone: () => 'Its service was deleted. Restore the service first.',
  trash_place_gone: () => 'Its place was deleted.',
}
