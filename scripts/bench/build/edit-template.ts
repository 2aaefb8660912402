import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import type { ProjectCopy } from './project-copy.ts'

const TEMPLATE = 'src/components/partials/LocationServiceDetail.astro'

/** Changes the template of location pages. The bundle is built too, as when the new program starts. */
export async function editTemplate({ projectDir }: Pick<ProjectCopy, 'projectDir'>): Promise<void> {
  appendFileSync(join(projectDir, TEMPLATE), '<p>Another line.</p>\n')
  await ensureBundle(projectDir)
}
