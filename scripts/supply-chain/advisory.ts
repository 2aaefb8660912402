import { compare, gt, gte, valid } from 'semver'
import { z } from 'zod'

/** From harmless to worst. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const

export type Severity = (typeof SEVERITIES)[number]

const FIRST = '0.0.0-0'
const LAST = `${Number.MAX_SAFE_INTEGER}.0.0`

const event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
})

/** The relevant parts of an OSV record (schema 1.7). */
export const advisory = z.object({
  id: z.string(),
  modified: z.iso.datetime({ offset: true }),
  withdrawn: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  summary: z.string().default(''),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }),
        versions: z.array(z.string()).default([]),
        ranges: z.array(z.object({ type: z.string(), events: z.array(event) })).default([]),
      }),
    )
    .default([]),
  database_specific: z.object({ severity: z.string().optional() }).optional().catch(undefined),
})

export type Advisory = z.output<typeof advisory>

/** Returns true if the advisory affects this version of this npm package. A withdrawn one affects none. */
export function isAffected(
  { affected, withdrawn }: Advisory,
  { name, version }: { name: string; version: string },
): boolean {
  if (withdrawn !== undefined) return false
  return affected
    .filter((one) => one.package.ecosystem === 'npm' && one.package.name === name)
    .some(
      ({ versions, ranges }) =>
        versions.includes(version) ||
        ranges.some(({ type, events }) => type !== 'GIT' && isInRange(events, version)),
    )
}

/** An advisory without a severity, such as for a malicious package, counts as critical. */
export function severityOf({ database_specific: specific }: Advisory): Severity {
  const written = specific?.severity?.toLowerCase().replace('moderate', 'medium')
  return SEVERITIES.find((severity) => severity === written) ?? 'critical'
}

// Evaluated as the OSV schema defines: events in order, each switching the state.
function isInRange(events: readonly z.output<typeof event>[], version: string): boolean {
  const steps = events
    .map(({ introduced, fixed, last_affected: last }) => ({
      // `0` precedes every version, and so does an invalid start; an invalid end follows every version.
      at: introduced === undefined ? (valid(fixed ?? last) ?? LAST) : (valid(introduced) ?? FIRST),
      isAffected: introduced !== undefined,
      isLast: last !== undefined,
    }))
    .toSorted((one, other) => compare(one.at, other.at))
  let isIn = false
  for (const { at, isAffected, isLast } of steps)
    if (isLast ? gt(version, at) : gte(version, at)) isIn = isAffected
  return isIn
}
