import { AsyncLocalStorage } from 'node:async_hooks'

/** Learns the names of the components that a page shows, of those that a site can replace. */
export interface ShownNames {
  add(name: string): void
}

const parts = new AsyncLocalStorage<Set<string>>()

/** Adds the names of a page to `shown`, except those within a part: `recordPart` has them. */
export function collectShown(shown: Set<string>): ShownNames {
  return { add: (name) => void (parts.getStore() ?? shown).add(name) }
}

/** Renders a part that several pages share. Returns its HTML and the names of its components. */
export async function recordPart(
  render: () => Promise<string>,
): Promise<{ html: string; shown: ReadonlySet<string> }> {
  const shown = new Set<string>()
  return { html: await parts.run(shown, render), shown }
}
