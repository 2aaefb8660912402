import { table } from './markdown.ts'

/** Classes for a site's own components, with what they do; they change only with a major version. */
export const PUBLIC_CLASSES: Readonly<Record<string, string>> = {
  section: 'space above and below a section',
  tinted: 'on a `section`: the background `--surface`',
  shell: 'the width of the page, centered',
  prose: 'text made from Markdown',
  lead: 'a first paragraph in larger type',
  button: 'a link or button in `--primary`',
  'sp-call': 'on a `button`: the colors `--accent` and `--on-accent`',
  'sp-quiet': 'on a `button`: an outline without a background',
}

/** Makes the section about the classes that a site's own components may use. */
export function classNamesSection(): string {
  return `## Class names

These classes are public. Use them in your own components:

${table(
  ['class', 'effect'],
  Object.entries(PUBLIC_CLASSES).map(([name, effect]) => [`\`${name}\``, effect]),
)}

All other classes of Signpost begin with \`sp-\`, so your own can have any other name. They can change in any version.`
}
