import { countOf } from '../plural.ts'

/** What is wrong with a content type beside the rules of files. */
export const FAULTS_OF_CONTENT_TYPES = {
  name_missing: () => 'Enter a name.',
  label_missing: () => 'Enter a label. People see it beside the field.',
  key_invalid: () =>
    'Use lower-case letters, digits, and underscores, starting with a letter, such as finished_on.',
  slug_invalid: () => 'Use lower-case letters, digits, hyphens, and underscores, such as projects.',
  slug_taken: ({ slug }: { slug: string }) => `"${slug}" is taken. Choose another.`,
  /** Slugs have a part for each placeholder: entries that are there fit no other number. */
  parts_changed: ({ entries, before, after }: { entries: number; before: number; after: number }) =>
    `Existing entries (${entries}) have slugs of ${countOf(before, { one: 'part', other: 'parts' })}, but this pattern needs ${after}.`,
  address_taken: ({ slug, fault }: { slug: string; fault: string }) =>
    `With this pattern, "${slug}" has an invalid address: ${fault}.`,
}
