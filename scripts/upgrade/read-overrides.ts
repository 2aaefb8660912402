import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OVERRIDES } from '../../src/integration/replace-components.ts'
import { listReplacements, type Replacement } from '../../src/integration/upgrades/list-replacements.ts'
import { LOOKS } from '../../src/site/theme/looks.ts'

/** Lists the components that a site replaces: in its `astro.config.mjs`, and in its looks. */
export async function readOverrides(siteDir: string): Promise<Replacement[]> {
  const { default: config } = await import(pathToFileURL(join(siteDir, 'astro.config.mjs')).href)
  const integrations: Record<symbol, Record<string, string> | undefined>[] = [config.integrations ?? []].flat(
    2,
  )
  const overrides = integrations.flatMap((one) => Object.entries(one?.[OVERRIDES] ?? {}))
  return listReplacements(siteDir, Object.fromEntries(overrides), LOOKS)
}
