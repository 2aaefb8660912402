import { slugOf } from '../../lib/slug.ts'
import { stageTexts as texts } from '../../messages/admin/settings/stages.ts'
import { FIRST_STAGE, type Stage } from '../../submissions/stages/stage-settings.ts'
import type { FormValue } from '../kit/admin-form.ts'

type Values = Readonly<Record<string, FormValue>>

/** Key of the row for a new stage; not a valid slug. */
export const ADDED = '+'

/** The fields of a row, which belongs to a slug or adds a stage. */
export const fieldsOf = (key: string) => ({
  name: `name.${key}`,
  position: `position.${key}`,
  counts: `counts.${key}`,
  /** Slug of the stage that gets the leads of a removed one. */
  into: `into.${key}`,
})

/** Returns the form's initial values. */
export function toStageValues(stages: readonly Stage[]): Record<string, string> {
  const rows = stages.map(({ slug, name, counts_as = '' }, index) => {
    const fields = fieldsOf(slug)
    return [
      [fields.name, name],
      [fields.position, String(index + 1)],
      [fields.counts, counts_as],
    ]
  })
  const added = [[fieldsOf(ADDED).position, String(stages.length + 1)]]
  return Object.fromEntries([...rows.flat(), ...added])
}

/** The stages that a form asks for. */
export interface PostedStages {
  stages: Stage[]
  /** Stages without a name, which are removed, and the slug of the stage that gets their leads. */
  removed: { stage: Stage; into: string }[]
}

/** Reads the form; an existing stage keeps its slug when renamed. */
export function readStages(values: Values, stages: readonly Stage[]): PostedStages {
  const text = (field: string) => String(values[field] ?? '').trim()
  const rows = [...stages.map(({ slug }) => slug), ADDED].map((key, index) => {
    const fields = fieldsOf(key)
    const position = key === FIRST_STAGE ? 0 : orderOf(Number(text(fields.position)) || index + 1, index + 1)
    return { key, position, name: text(fields.name), counts: text(fields.counts), into: text(fields.into) }
  })
  const kept = rows.filter(({ name }) => name !== '').sort((a, b) => a.position - b.position)
  const taken = new Set(stages.flatMap(({ slug, replaces = [] }) => [slug, ...replaces]))
  const made = kept.map(({ key, name, counts }): Stage => {
    const former = stages.find(({ slug }) => slug === key)
    const counts_as = counts === 'won' || counts === 'lost' ? counts : undefined
    const slug = former?.slug ?? freeSlug(name, taken)
    return {
      ...(former?.replaces && { replaces: former.replaces }),
      slug,
      name,
      ...(counts_as && { counts_as }),
    }
  })
  const gone = rows.flatMap(({ key, name, into }) => {
    const stage = name === '' ? stages.find(({ slug }) => slug === key) : undefined
    return stage ? [{ stage, into }] : []
  })
  return { stages: gone.reduce(replacing, made), removed: gone }
}

// A row moved up comes before the one that had its position, a row moved down after it.
function orderOf(position: number, former: number): number {
  return position + Math.sign(position - former) / 2
}

function replacing(stages: Stage[], { stage, into }: PostedStages['removed'][number]): Stage[] {
  const former = [stage.slug, ...(stage.replaces ?? [])]
  return stages.map((one) =>
    one.slug === into ? { ...one, replaces: [...(one.replaces ?? []), ...former] } : one,
  )
}

function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const wanted = slugOf(name).slice(0, 30).replace(/-$/, '') || 'stage'
  const free = [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}-${index + 2}`)]
  return free.find((slug) => !taken.has(slug)) ?? wanted
}

/** Returns the problems with names, by field. */
export function faultsOfNames(stages: readonly Stage[]): { field: string; message: string }[] {
  const names = new Set<string>()
  return stages.flatMap(({ slug, name }) => {
    const isKnown = names.has(name.toLowerCase())
    names.add(name.toLowerCase())
    return isKnown ? [{ field: fieldsOf(slug).name, message: texts.problems.sameName(name) }] : []
  })
}
