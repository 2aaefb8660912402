import type { Db } from '../../db/schema.ts'
import { DEFAULT_STAGES, findStage } from '../../submissions/stages/stage-settings.ts'
import { countInStage } from '../../submissions/stages/stage-store.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { PathPlan } from './plan-paths.ts'

/** Finds stages that were removed from `site.yaml` although they have leads and no other stage replaces them. */
export async function checkStages(db: Db, plans: readonly PathPlan[]): Promise<Mistake[]> {
  const mistakes: Mistake[] = []
  for (const plan of plans) {
    for (const slug of removedStages(plan)) {
      const isUsed = (await countInStage(db, slug, { most: 1 })) > 0
      const fault = { code: 'stage_in_use', params: { slug } } as const
      if (isUsed) mistakes.push({ path: plan.path, line: 1, fault })
    }
  }
  return mistakes
}

function removedStages({ file, merged, row, decision }: PathPlan): string[] {
  const next = merged ?? file
  if (next?.kind !== 'site' || row?.document.kind !== 'site') return []
  if (decision !== 'write' && decision !== 'merge') return []
  const stages = next.settings.stages ?? DEFAULT_STAGES
  const before = row.document.settings.stages ?? DEFAULT_STAGES
  return before
    .flatMap(({ slug, replaces = [] }) => [slug, ...replaces])
    .filter((slug) => !findStage(stages, slug))
}
