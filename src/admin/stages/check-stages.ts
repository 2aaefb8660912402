import type { Db } from '../../db/schema.ts'
import { stageTexts as texts } from '../../messages/admin/settings/stages.ts'
import { FIRST_STAGE, findStage, MOST_STAGES } from '../../submissions/stages/stage-settings.ts'
import { countInStage } from '../../submissions/stages/stage-store.ts'
import { faultsOfNames, fieldsOf, type PostedStages } from './posted-stages.ts'

interface Fault {
  /** Empty for the form as a whole. */
  field: string
  message: string
}

/** Finds problems with posted stages: invalid names, and removed stages whose leads have no new stage. */
export async function faultsOf(db: Db, { stages, removed }: PostedStages): Promise<Fault[]> {
  const { problems } = texts
  const faults: Fault[] = faultsOfNames(stages)
  if (stages[0]?.slug !== FIRST_STAGE)
    faults.push({ field: fieldsOf(FIRST_STAGE).name, message: problems.firstName })
  if (stages.length > MOST_STAGES) faults.push({ field: '', message: problems.tooMany })
  for (const { stage, into } of removed) {
    if (stage.slug === FIRST_STAGE || findStage(stages, stage.slug)) continue
    const slugs = [stage.slug, ...(stage.replaces ?? [])]
    const counts = await Promise.all(slugs.map((slug) => countInStage(db, slug, { most: 1 })))
    if (into !== '' || counts.some((count) => count > 0))
      faults.push({ field: fieldsOf(stage.slug).into, message: problems.inUse(stage.name) })
  }
  return faults
}

/** Describes the change for the activity log. */
export function summaryOf({ stages, removed }: PostedStages): string {
  const replaced = removed.flatMap(({ stage }) => {
    const into = findStage(stages, stage.slug)
    return into ? [texts.replaced(stage.name, into.name)] : []
  })
  return [texts.activity(stages.map(({ name }) => name)), ...replaced].join('. ')
}
