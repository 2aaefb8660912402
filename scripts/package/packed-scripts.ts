/** Matches the files below `scripts/` that a site needs at run time; the others are for development. */
export const PACKED_SCRIPTS =
  /^(?!bench|check|docs|licences|mutants|package|soak|supply|words|deploy)[a-z-]+(\/[a-z-]+)?\.ts$/
