interface Line {
  line: number
}

/** Why a taxonomy or a term cannot be saved. */
export const FAULTS_OF_TAXONOMIES = {
  has_levels: () => 'Some terms have a parent. Move them to the top level first.',
  classifies: ({ types }: { types: readonly string[] }) =>
    `${types.join(', ')} have terms of it. Take them off there first.`,
  term_slug_taken: ({ by }: { by: string }) => `"${by}" has this slug.`,
  parent_gone: () => 'The term it was to come below is gone.',
  no_levels: () => 'This taxonomy has no levels.',
  list_without_levels: () => 'This taxonomy has no levels: add the list at the top.',
  lines_many: ({ count, max }: { count: number; max: number }) =>
    `The list has ${count} lines, at most ${max} can be added at once.`,
  line_without_name: ({ line }: Line) => `Line ${line} has no name.`,
  line_too_long: ({ line, max }: Line & { max: number }) =>
    `Line ${line}: the name is longer than ${max} characters.`,
  line_slug_invalid: ({ line, slug }: Line & { slug: string }) =>
    `Line ${line}: "${slug}" is not a valid slug. Use lower-case letters, digits, and hyphens.`,
  line_slug_missing: ({ line, name }: Line & { name: string }) =>
    `Line ${line}: write a slug behind "${name}", such as ${name} | my-slug.`,
  line_slug_taken: ({ line, slug }: Line & { slug: string }) =>
    `Line ${line}: the slug "${slug}" is taken. Write another one.`,
  line_indented: ({ line }: Line) => `Line ${line} is indented, but this taxonomy has no levels.`,
  parent_unknown: ({ slug }: { slug: string }) => `No term has the slug "${slug}".`,
  below_itself: ({ name }: { name: string }) => `${name} cannot come below itself.`,
}
