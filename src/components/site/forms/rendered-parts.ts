const parts = new WeakMap<object, Map<string, string>>()

/** The HTML of a part that many pages show alike: rendered for the first, remembered while the object is there that it shows. */
export function renderedPart(
  of: object,
  name: string,
  render: () => Promise<string>,
): string | Promise<string> {
  const known = parts.get(of) ?? new Map<string, string>()
  parts.set(of, known)
  return known.get(name) ?? render().then((html) => remember(known, name, html))
}

function remember(known: Map<string, string>, name: string, html: string): string {
  known.set(name, html)
  return html
}
