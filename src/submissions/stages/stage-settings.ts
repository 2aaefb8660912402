import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { progressTexts } from '../../messages/admin/leads.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'

/** The stage of new leads, which always exists. */
export const FIRST_STAGE = 'new'

export const MOST_STAGES = 20
const MAX_NAME = 40

const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, rule('stage_slug'))
  .max(MAX_NAME)

const stage = z.strictObject({
  /** Doesn't change when the stage is renamed, because leads store it. */
  slug,
  name: filledText.max(MAX_NAME),
  /** Leads in this stage count as won or lost in results. */
  counts_as: z.enum(['won', 'lost']).optional(),
  /** Slugs of removed stages whose leads move to this one. */
  replaces: z.array(slug).optional(),
})

/** A stage in working on leads. */
export type Stage = z.output<typeof stage>

/** `stages` of `content/site.yaml`, in order. */
export const stageSettings = z
  .array(stage)
  .max(MOST_STAGES)
  .refine(([first]) => first?.slug === FIRST_STAGE && !first.counts_as, rule('stages_begin_new'))
  .refine((stages) => {
    const slugs = stages.flatMap((one) => [one.slug, ...(one.replaces ?? [])])
    return new Set(slugs).size === slugs.length
  }, rule('stages_named_once'))

const named = progressTexts.stages

/** Default stages. */
export const DEFAULT_STAGES: readonly Stage[] = [
  { slug: FIRST_STAGE, name: named.new },
  { slug: 'contacted', name: named.contacted },
  { slug: 'quoted', name: named.quoted },
  { slug: 'won', name: named.won, counts_as: 'won' },
  { slug: 'lost', name: named.lost, counts_as: 'lost' },
]

/** Returns a lead's stage by its stored slug, which may be that of a removed stage; undefined if unknown. */
export function findStage(stages: readonly Stage[], stored: string): Stage | undefined {
  return stages.find(({ slug, replaces = [] }) => slug === stored || replaces.includes(stored))
}

/** Returns the name of a lead's stage; the slug if the stage is unknown. */
export function stageName(stages: readonly Stage[], stored: string): string {
  return findStage(stages, stored)?.name ?? stored
}
