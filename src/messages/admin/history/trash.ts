import { countOf } from '../../plural.ts'
import { entryTexts } from '../entries.ts'
import { termNoun } from '../terms.ts'

/** Sentences about the visibility of a restored item. */
const VISIBILITY = {
  live: ' The item is still on the site.',
  pending: ' Publish to show the item on the site.',
  hidden: '',
}

/** Deleted content that can be restored. */
export const trashTexts = {
  title: 'Trash',
  lead: (days: number) => `Deleted content stays here for ${days} days. After that, you can’t restore it.`,
  hint: 'Restoring an item also restores everything listed with it.',
  empty: 'The trash is empty',
  emptyText: (days: number) =>
    `Pages, services, places, forms, and pictures that you delete stay here for ${days} days.`,
  name: 'Name',
  deleted: 'Deleted',
  byFile: 'Content files',
  byNobody: 'Unknown',
  left: 'Kept until',
  notYours: 'Only owners and managers can restore forms.',
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  older: 'Older',
  newest: 'Newest',
  restored: (name: string, noun: string) => `Restored the ${noun} “${name}” from the trash`,
  isRestored: ({ name, area, state }: { name: string; area: string; state: keyof typeof VISIBILITY }) =>
    `“${name}” restored to ${area}.${VISIBILITY[state]}`,
  open: (name: string) => `Open “${name}”`,
  isGone: 'This item is no longer in the trash.',
}

interface Named {
  subject: { kind: string }
  typeSlug: string
}

/** Returns the noun for something in the trash: `service`, `place`, `form`. */
export function nounOfTrashed({ subject: { kind }, typeSlug }: Named): string {
  if (kind === 'form' || kind === 'picture') return kind
  return kind === 'term' ? termNoun(typeSlug).one : entryTexts.noun(typeSlug)
}

/** Describes something in the trash, and what a restore brings back along with it: `Service, with 4 local pages`. */
export function describeTrashed({ subject, typeSlug, parts }: Named & { parts: number }): string {
  const noun = nounOfTrashed({ subject, typeSlug })
  const name = noun.charAt(0).toUpperCase() + noun.slice(1)
  return parts === 0 ? name : `${name}, with ${partsOf({ subject, typeSlug, parts })}`
}

function partsOf({ subject: { kind }, typeSlug, parts }: Named & { parts: number }): string {
  if (kind === 'form') return countOf(parts, { one: 'webhook', other: 'webhooks' })
  if (kind === 'picture') return countOf(parts, { one: 'earlier version', other: 'earlier versions' })
  if (kind === 'entry') return countOf(parts, { one: 'local page', other: 'local pages' })
  return `${countOf(parts, termNoun(typeSlug))} inside`
}

/** Why something can’t come back. */
export const FAULTS_OF_TRASH = {
  picture_name_taken: ({ by }: { by: string }) =>
    `The library already has a picture with this name: ${by}. Delete that picture first.`,
  trash_address_taken: ({ slug }: { slug: string }) =>
    `Another item has the address “${slug}” now. Change that address first.`,
  trash_page_taken: ({ path, owner }: { path: string; owner: string }) =>
    `“${owner}” has the address ${path} now. Change that address first.`,
  trash_type_gone: () => 'This item can’t be restored because its content type was deleted.',
  trash_service_gone: () => 'This page’s service was deleted. Restore the service first.',
  trash_place_gone: () => 'This page’s place was deleted. Restore the place first.',
  trash_taxonomy_gone: () => 'This category can’t be restored because its list was deleted.',
  trash_parent_gone: () => 'This item’s parent was deleted. Restore the parent first.',
  trash_page_place_gone: () => 'This service has a local page in a deleted place. Restore the place first.',
  trash_page_service_gone: () =>
    'This place has a local page for a deleted service. Restore the service first.',
}
