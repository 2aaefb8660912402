import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OVERRIDES } from '../../src/integration/replace-components.ts'

/** Returns the components that a site replaces, with their files, according to its `astro.config.mjs`. */
export async function readOverrides(siteDir: string): Promise<Record<string, string>> {
  const { default: config } = await import(pathToFileURL(join(siteDir, 'astro.config.mjs')).href)
  const integrations: Record<symbol, Record<string, string> | undefined>[] = [config.integrations ?? []].flat(
    2,
  )
  const overrides = integrations.flatMap((one) => Object.entries(one?.[OVERRIDES] ?? {}))
  return Object.fromEntries(
    overrides.map(([name, path]) => [name, relative(siteDir, resolve(siteDir, path))]),
  )
}
