import { countOf } from '../plural.ts'

/** Output of `sbom`, `licences` and `vulnerabilities`. */
export const supplyChainTexts = {
  sbomWritten: (file: string, packages: number) => `Wrote ${file}: CycloneDX 1.5, ${packages} packages.`,
  lockInvalid: (path: string) =>
    `${path} is not a package-lock.json of npm 7 or newer. Choose another file for --lock`,
  noAdvisories: 'The file contains no advisories',
  advisories: (count: number, day: string, days: number) =>
    `Advisories: ${count}. Newest: ${day}, ${countOf(days, { one: 'day', other: 'days' })} ago.`,
  ignoredInvalid: (path: string, place: string, problem: string) =>
    `${path}: ${place}: ${problem}; expected a list of id, reason, and until (YYYY-MM-DD)`,
  ignored: (until: string, reason: string) => `ignored until ${until}: ${reason}`,
  noLongerIgnored: 'no longer ignored',
  found: (severity: string, count: number) =>
    `Known vulnerabilities of severity ${severity} or higher: ${count}`,
  none: (severity: string, packages: number) =>
    `No known vulnerabilities of severity ${severity} or higher in ${packages} packages.`,
  notAnAdvisory: (place: string) => `${place} is not an OSV record`,
  notJson: (place: string) => `${place} is not valid JSON`,
  licenseUnknown: 'unknown',
}
