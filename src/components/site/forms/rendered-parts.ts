import { recordPart, type ShownNames } from '#src/site/content/shown-components.ts'

type Part = Awaited<ReturnType<typeof recordPart>>

const parts = new WeakMap<object, Map<string, Part>>()

/**
 * Returns the HTML of a part shared by many pages: rendered once and cached as long as the object it shows exists.
 * Each page records the components in it.
 */
export function renderedPart(
  of: object,
  { name, shown, render }: { name: string; shown: ShownNames | undefined; render: () => Promise<string> },
): string | Promise<string> {
  const known = parts.get(of) ?? new Map<string, Part>()
  parts.set(of, known)
  const part = known.get(name)
  return part
    ? show(part, shown)
    : recordPart(render).then((made) => show(remember(known, name, made), shown))
}

function remember(known: Map<string, Part>, name: string, part: Part): Part {
  known.set(name, part)
  return part
}

function show(part: Part, shown: ShownNames | undefined): string {
  for (const name of part.shown) shown?.add(name)
  return part.html
}
