import { dialedKeys } from '../../entries/types/builtin/registry.ts'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import type { ContentDocument } from '../document.ts'
import type { PathPlan } from '../syncing/plan-paths.ts'
import type { Mistake } from './mistake.ts'
import type { ParsedFile } from './parsed-file.ts'

/**
 * Finds phone numbers in these files that can't be dialed. A number synced before numbers were checked stays and is
 * a warning: see findWarnings. `documents` is the content after the sync.
 */
export function checkPhones(
  files: readonly ParsedFile[],
  { plans, documents }: { plans: readonly PathPlan[]; documents: readonly ContentDocument[] },
): Mistake[] {
  const site = documents.find((document) => document.kind === 'site')
  const known = new Map(plans.map((plan) => [plan.path, knownNumbers(plan, site?.settings)]))
  return files.flatMap(({ path, references }) =>
    references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'phone' || known.get(path)?.has(reference.number)) return []
      const country = reference.country ?? site?.settings.country ?? DEFAULT_COUNTRY
      const fault = phoneFault(reference, country)
      return fault ? [{ path, line: reference.line, fault }] : []
    }),
  )
}

/** Returns the problem with a phone number in a file, or undefined. */
export function phoneFault(
  { name, number }: { name: string; number: string },
  country: string,
): FileFault | undefined {
  if (toDialable(number, country) !== undefined) return undefined
  return { code: 'undialable', params: { name, number, country } }
}

function knownNumbers({ row, base }: PathPlan, site: SiteSettings | undefined): Set<string> {
  const documents = [row?.document, base?.document].flatMap((document) => document ?? [])
  return new Set(documents.flatMap((document) => numbersOf(document, site)))
}

function numbersOf(document: ContentDocument, site: SiteSettings | undefined): string[] {
  if (document.kind === 'entry')
    return dialedKeys(document.type).map((key) => String(document.fields[key] ?? ''))
  // The same digits are a different number in another country.
  if (document.kind !== 'site' || document.settings.country !== site?.country) return []
  return phonesOf(document.settings).map(({ number }) => number)
}
