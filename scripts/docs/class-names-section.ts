import { table } from './markdown.ts'

/** Classes for a site's own components, with their effects. They change only in a major version. */
export const PUBLIC_CLASSES: Readonly<Record<string, string>> = {
  section: 'adds space above and below a section',
  tinted: 'gives a `section` the background color `--surface`',
  shell: 'centers content at the page width',
  prose: 'styles text generated from Markdown',
  lead: 'sets the first paragraph in larger type',
  button: 'styles a link or button in `--primary`',
  'sp-call': 'gives a `button` the colors `--accent` and `--on-accent`',
  'sp-quiet': 'gives a `button` an outline and no background',
}

/** Makes the section about the classes that a site's own components may use. */
export function classNamesSection(): string {
  return `## Class names

These classes are public. Use them in your own components:

${table(
  ['class', 'effect'],
  Object.entries(PUBLIC_CLASSES).map(([name, effect]) => [`\`${name}\``, effect]),
)}

Signpost’s other class names start with \`sp-\` and can change in any version. Your own classes can have any other name.`
}
