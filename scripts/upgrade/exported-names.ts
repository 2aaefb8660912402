const DECLARATION =
  /^export (?:declare )?(?:async )?(?:function|const|let|class|interface|type|enum|abstract class) (\w+)/gm
const LIST = /^export (?:type )?\{([^}]*)\}/gm

/** Lists the names that a module or its declarations export, without the default. */
export function exportedNames(source: string): Set<string> {
  const declared = [...source.matchAll(DECLARATION)].flatMap(([, name]) => name ?? [])
  const listed = [...source.matchAll(LIST)].flatMap(([, names = '']) => namesIn(names).map(({ as }) => as))
  return new Set([...declared, ...listed])
}

/** Returns the names in the braces of an import or export, each with its new name. */
export function namesIn(braces: string): { name: string; as: string }[] {
  return braces.split(',').flatMap((part) => {
    const [, name, as] = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
    return name === undefined ? [] : [{ name, as: as ?? name }]
  })
}
