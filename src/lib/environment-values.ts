const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether a text names an environment value: `Bearer ${TOKEN}`. */
export function hasEnvironmentValue(text: string): boolean {
  return text.search(REFERENCE) !== -1
}

/** The text with every `${NAME}` replaced; undefined if one of them is not set. */
export function fillFromEnvironment(text: string, environment: Environment): string | undefined {
  if (listUnsetNames(text, environment).length > 0) return undefined
  return text.replace(REFERENCE, (_, name: string) => environment[name] ?? '')
}

/** The names in a text that the environment does not set, each once. An empty value counts as not set. */
export function listUnsetNames(text: string, environment: Environment): string[] {
  return listNames(text).filter((name) => !environment[name])
}

/** The names of the environment in a text, each once, in their order. */
export function listNames(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].map((match) => match[1] ?? ''))]
}

/** Parts of a text before, between and after its names. */
export function literalsOf(text: string): string[] {
  return text.split(REFERENCE).filter((_, index) => index % 2 === 0)
}

/** Returns whether a text consists of names only: `${USER}:${PASSWORD}`. */
export function isOnlyNames(text: string): boolean {
  return hasEnvironmentValue(text) && !literalsOf(text).some((literal) => /[\p{L}\p{N}]/u.test(literal))
}

/** Returns whether this template could have produced a text, whatever the values. */
export function fitsText(template: string, text: string): boolean {
  const pattern = literalsOf(template)
    .map((literal) => RegExp.escape(literal))
    .join('[^]+')
  return new RegExp(`^${pattern}$`).test(text)
}
