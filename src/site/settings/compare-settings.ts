import { canonicalJson } from '../../lib/canonical-json.ts'

/** A value in which two versions of the settings differ. */
export interface SettingChange {
  /** Its path in `content/site.yaml`, such as `home.title`. */
  path: string
  before: unknown
  after: unknown
}

/** Lists the values in which two versions of the settings differ; without an earlier version, all that are not empty. */
export function compareSettings(before: unknown, after: unknown): SettingChange[] {
  const [former, next] = [valuesIn(before), valuesIn(after)]
  const paths = new Set([...next.keys(), ...former.keys()])
  return [...paths]
    .map((path) => ({ path, before: former.get(path), after: next.get(path) }))
    .filter((change) => textOf(change.before) !== textOf(change.after))
}

// Groups are opened, and lists are values.
function valuesIn(settings: unknown, prefix = ''): Map<string, unknown> {
  const values = Object.entries((settings ?? {}) as object).flatMap(([key, value]): [string, unknown][] => {
    const path = `${prefix}${key}`
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isGroup ? [...valuesIn(value, `${path}.`)] : [[path, value]]
  })
  return new Map(values)
}

// A list without rows is as empty as a missing one.
function textOf(value: unknown): string {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '' : canonicalJson(value)
}
