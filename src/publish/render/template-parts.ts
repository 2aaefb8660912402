import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'

/** File in a bundle with the hashes of the site's own template files. */
export const TEMPLATE_PARTS = 'template-parts.json'

const templateParts = z.object({
  /**
   * Hashes of the site's files that only some pages use: `component:Header`, `section:offer`,
   * `page:src/pages/about.astro`. Contains every replaceable component, empty if it uses only the program's files.
   */
  parts: z.record(z.string(), z.string()),
  /** The site's files behind one of these hashes, relative to its folder. */
  files: z.array(z.string()),
})

export type TemplateParts = z.output<typeof templateParts>

/** Returns the result recorded by a bundle's build; empty for a site without its own templates. */
export function readTemplateParts(folder: string): TemplateParts {
  const file = join(folder, TEMPLATE_PARTS)
  if (isMissing(file)) return { parts: {}, files: [] }
  return templateParts.parse(JSON.parse(readFileSync(file, 'utf8')))
}
