import { z } from 'zod'

/** A blocked action of a page, without the visitor or a full address. */
export interface Violation {
  /** `script-src-elem` */
  directive: string
  /** `https://evil.example`, the scheme of other addresses (`data:`), or a keyword such as `inline`. */
  blocked: string
}

const MOST_CHARACTERS = 200
const MOST_REPORTS = 20

const name = z.string().regex(/^[a-z][a-z-]{0,39}$/)
const blocked = z.string().transform(toOrigin).pipe(z.string().max(MOST_CHARACTERS))

// CSP 2 §4.4: `report-uri`.
const former = z
  .object({ 'csp-report': z.object({ 'effective-directive': name, 'blocked-uri': blocked }) })
  .transform(({ 'csp-report': report }) => [
    { directive: report['effective-directive'], blocked: report['blocked-uri'] },
  ])

// Reporting API §3 and CSP 3 §5: `report-to`. The browser may include reports of other types.
const violation = z
  .object({
    type: z.literal('csp-violation'),
    body: z.object({ effectiveDirective: name, blockedURL: blocked }),
  })
  .transform(({ body }) => [{ directive: body.effectiveDirective, blocked: body.blockedURL }])
const reports = z
  .array(violation.or(z.unknown().transform((): Violation[] => [])))
  .max(MOST_REPORTS)
  .transform((lists) => lists.flat())

const body = z.union([former, reports])

/** The violations that a browser reports; undefined if the body is not a report. */
export function readViolations(bytes: Buffer): Violation[] | undefined {
  try {
    return body.safeParse(JSON.parse(bytes.toString('utf8'))).data
  } catch {
    return undefined
  }
}

// Paths and queries may contain what a visitor typed.
function toOrigin(address: string): string {
  if (/^[a-z-]{0,30}$/.test(address)) return address
  const url = URL.parse(address)
  if (!url) return 'unknown'
  return url.origin === 'null' ? url.protocol : url.origin
}
