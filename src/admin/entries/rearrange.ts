type Fields = Readonly<Record<string, unknown>>

/**
 * Applies one of the editor's small buttons: `up:steps.2` and `remove:steps.2` change a list, `reset:phone` empties
 * a field so that it is inherited again. Any other text changes nothing.
 */
export function rearrange(fields: Fields, act: string): Record<string, unknown> {
  const [, verb = '', name = ''] = /^(up|remove|reset):(.+)$/.exec(act) ?? []
  if (verb === 'reset') return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
  const dot = name.lastIndexOf('.')
  const list = fields[name.slice(0, dot)]
  if (dot < 0 || !Array.isArray(list)) return { ...fields }
  return { ...fields, [name.slice(0, dot)]: withItem(list, Number(name.slice(dot + 1)), verb) }
}

function withItem(list: readonly unknown[], index: number, verb: string): unknown[] {
  const rest = list.filter((_, place) => place !== index)
  return verb === 'remove' ? rest : rest.toSpliced(Math.max(0, index - 1), 0, list[index])
}
