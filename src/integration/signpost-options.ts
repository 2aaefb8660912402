import { Failure } from '../lib/messages.ts'
import { nearNames } from '../lib/names/near-names.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'
import type { ComponentOverrides } from './replace-components.ts'

export interface SignpostOptions {
  /**
   * The site's own components, by the name of the component each replaces: `{ Header:
   * './src/components/Header.astro' }`.
   */
  components?: ComponentOverrides
}

const OPTIONS: readonly string[] = ['components'] satisfies (keyof SignpostOptions)[]

/** Throws if an option of `signpost()` is unknown. */
export function refuseUnknown(options: SignpostOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown === undefined) return
  const [near] = nearNames(unknown, OPTIONS)
  throw new Failure(integrationTexts, 'optionUnknown', unknown, near, OPTIONS.join(', '))
}
