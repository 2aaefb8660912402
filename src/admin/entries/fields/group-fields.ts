import type { EditorField } from '#src/site/entry-editor.ts'

/** The fields of an editor by the panel that shows them. */
export interface FieldGroups {
  /** Pictures, hero first, with the description of one after it. */
  pictures: EditorField[]
  /** The places of a service. */
  places: EditorField[]
  others: EditorField[]
}

/** Groups the fields of an editor by the panel that shows them. */
export function groupFields(fields: readonly EditorField[]): FieldGroups {
  const chosen = new Set(fields.filter(isPicture).map(({ field }) => field.key))
  const groups = Map.groupBy(fields, (one): keyof FieldGroups => {
    const described = one.field.key.replace(/_alt$/, '')
    if (chosen.has(described)) return 'pictures'
    return one.meaning?.control === 'places' ? 'places' : 'others'
  })
  const { pictures = [], places = [], others = [] } = Object.fromEntries(groups)
  return { pictures: pictures.toSorted((a, b) => Number(isHero(b)) - Number(isHero(a))), places, others }
}

function isPicture({ field, meaning }: EditorField): boolean {
  return field.type === 'picture' || field.type === 'pictures' || meaning?.control === 'picture'
}

function isHero({ field }: EditorField): boolean {
  return field.key === 'hero'
}
