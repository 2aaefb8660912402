import { AsyncLocalStorage } from 'node:async_hooks'

/** Collects the names of the replaceable components that a page shows. */
export interface ShownNames {
  add(name: string): void
}

const parts = new AsyncLocalStorage<Set<string>>()

/** Adds a page's components to `shown`, except those inside a part, which `recordPart` collects. */
export function collectShown(shown: Set<string>): ShownNames {
  return { add: (name) => void (parts.getStore() ?? shown).add(name) }
}

/** Renders a part shared by several pages. Returns its HTML and the names of its components. */
export async function recordPart(
  render: () => Promise<string>,
): Promise<{ html: string; shown: ReadonlySet<string> }> {
  const shown = new Set<string>()
  return { html: await parts.run(shown, render), shown }
}
