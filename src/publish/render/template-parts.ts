import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'

/** File of a bundle with the hashes of what a site's own templates are made of. */
export const TEMPLATE_PARTS = 'template-parts.json'

const templateParts = z.object({
  /**
   * Hashes of the site's files that only some pages show: `component:Header`, `section:offer`, `page:src/pages/about.astro`.
   * Every component that can be replaced has one, empty where it is made of the program's files alone.
   */
  parts: z.record(z.string(), z.string()),
  /** The site's files in one of these hashes, below its folder. */
  files: z.array(z.string()),
})

export type TemplateParts = z.output<typeof templateParts>

/** Returns what the build of a bundle found; nothing for a site without templates of its own. */
export function readTemplateParts(folder: string): TemplateParts {
  const file = join(folder, TEMPLATE_PARTS)
  if (isMissing(file)) return { parts: {}, files: [] }
  return templateParts.parse(JSON.parse(readFileSync(file, 'utf8')))
}
