import { table } from './markdown.ts'

/** Classes for a site's own components, with their effects. They change only in a major version. */
export const PUBLIC_CLASSES: Readonly<Record<string, string>> = {
  section: 'adds space above and below a section',
  tinted: 'gives a `section` the background color `--surface`',
  shell: 'centers content and limits it to the page width',
  prose: 'styles text generated from Markdown',
  lead: 'sets an introductory paragraph in larger type',
  button: 'styles a link or button with the background color `--primary`',
  'sp-call': 'gives a `button` the background color `--accent` and the text color `--on-accent`',
  'sp-quiet': 'gives a `button` an outline and no background',
}

/** Makes the section about the classes that a site's own components may use. */
export function classNamesSection(): string {
  return `## Class names

You can use these classes in your own components. The classes change only in major versions.

${table(
  ['class', 'effect'],
  Object.entries(PUBLIC_CLASSES).map(([name, effect]) => [`\`${name}\``, effect]),
)}

Signpost’s other class names start with \`sp-\` and can change in any version. Don’t start your own class names with \`sp-\`.`
}
