import { countOf } from '../plural.ts'

const ARGUMENTS = { one: 'argument', other: 'arguments' }

/** Usage of each command, as its `--help` shows. */
export const usages = {
  start: 'npm start',
  dev: 'npm run dev',
  build:
    'npm run build [-- --full] [--jobs N] [--out DIR | --dry-run | --shard I/N --to DIR | --join DIR --join DIR …]',
  publishTo: 'npm run publish:to [-- --dry-run] [--repair] [--allow-removals]',
  rollback: 'npm run rollback [-- --to RELEASE | --list]',
  migrate: 'npm run migrate [-- --status | -- --to REVISION]',
  contentSync: 'npm run content:sync [-- [--dry-run] [--prefer file|database [--only PATH]]]',
  contentExport: 'npm run content:export -- --out DIR',
  adminCreate:
    'npm run admin:create -- --email ADDRESS [--role ROLE] [--place PATH …] [--form SLUG …] [--reset-two-factor]',
  new: `npm run new -- DIR [--yes] [--package SPEC]
  asks for the business name, trade, country and phone number, places, and street address
  DIR        the folder to create
  --yes      accepts the suggested answers
  --package  the Signpost version or tarball that the site depends on
  The command doesn't ask for the site's public URL: set SITE_URL in .env before you deploy`,
  upgrade: 'npm run upgrade -- --check [--to SPEC] | --rename | --accept',
  auditVerify: 'npm run audit:verify [-- --head HASH]',
  keyRotate: 'npm run key:rotate [-- --finish]',
  privacy: `npm run privacy -- ACTION [--email ADDRESS] [--phone NUMBER] [--text TEXT]
  find    counts everything stored about a person
  export  --out FILE            writes the person's data to a ZIP file
  erase   [--mentions] --yes    deletes the person's leads, and the person's data in other text
          --mentions also deletes leads that only mention the person`,
  retention: 'npm run retention [-- --dry-run]',
  vacuum: 'npm run vacuum',
  filesCopy: 'npm run files:copy -- --to store|disk',
  doctor: 'npm run doctor',
  backup: 'npm run backup -- FILE',
  restore: 'npm run restore -- FILE [--any-key]',
  words: 'npm run words',
  docs: 'npm run docs',
  licences: 'npm run licences',
  sbom: 'npm run sbom',
  mutants: `npm run mutants -- src/FOLDER [--force] [--sample PERCENT]
  --force           tries all mutants again, not only those whose code or tests have changed
  --sample PERCENT  tries only this share of the mutants, always the same ones`,
  bench: (names: string) => `npm run bench -- ${names} [--pages N] [--peer] [--overrides] [--json]`,
  vulnerabilities: (severities: string) =>
    `npm run vulnerabilities -- --file FILE|DIR [--severity ${severities}] [--ignore FILE] [--development] [--lock FILE]`,
  soak: `npm run soak [-- --only WORD] [-- --short]
  runs the full-length test of every promise
  --only WORD  tests only the promises whose name or test file contains the word
  --short      runs the short versions of the tests, as npm test does`,
  webhooks: `npm run webhooks -- ACTION
  test    --webhook ID [--submission ID]
  replay  --delivery ID [--anyway] | --webhook ID --from TIME [--until TIME] [--status STATUS]   [--render-again]
          STATUS: delivered, failed, or cancelled; failed and cancelled by default
          --anyway sends a lead that does not match the webhook's conditions
  cancel  --delivery ID | --webhook ID [--from TIME] [--until TIME]
  pause   --webhook ID
  resume  --webhook ID
  dry-run --webhook ID --changes FILE [--last N]     FILE: YAML with the keys that change
  accept-key     accept a new SECRET_KEY; values encrypted with the old one become unreadable`,
}

/** Returns a usage as it is in a site with the program as a package, where commands need no `--` before their options. */
export function usageInSite(usage: string): string {
  return usage.replace(/npm (?:run )?([\w:]+)/g, 'npx signpost $1').replace(/(^| |\[)-- (?=\S)/gm, '$1')
}

/** Problems of a command's usage. */
export const usageTexts = {
  usage: (usage: string) => `Usage: ${usage}`,
  wordMissing: (what: string) => `The ${what} is missing`,
  wordUnknown: (what: string, word: string) => `Unknown ${what} "${word}"`,
  roleUnknown: (text: string) => `--role is "${text}"`,
  expectedOneOf: (problem: string, names: readonly string[]) =>
    `${problem}; expected one of ${names.join(', ')}`,
  argumentCount: (expected: number, given: number) =>
    `Expected ${countOf(expected, ARGUMENTS)}, received ${given}`,
  optionEmpty: (option: string) => `--${option} is empty; expected a value`,
  argumentEmpty: 'An argument is empty; expected a value',
  notTogether: (option: string, other: string) => `${option} can't be combined with ${other}`,
  needs: (option: string, other: string) => `${option} needs ${other}`,
  emailMissing: '--email is missing or not an address; expected an address such as ann@example.com',
  zipMissing: '--out is missing; expected a new file such as person.zip',
  outMissing: '--out is missing; expected a new or empty folder',
  packageInvalid: (spec: string, version: string) =>
    `--package is "${spec}"; expected a version or a tarball, such as ./signpost-${version}.tgz`,
  preferInvalid: (text: string) => `--prefer is "${text}"; expected file or database`,
  jobsInvalid: (max: number) => `--jobs must be a number of processes from 1 to ${max}`,
  shardInvalid: '--shard must be a part such as 2/8',
  shardWithoutFolder: '--shard needs a folder for its pages: --to DIR',
  starterInvalid: (names: string) => `--started-by must be one of: ${names}`,
  pagesInvalid: '--pages must be a number of pages, such as 100000',
  peerElsewhere: '--peer works only with webhooks',
  overridesElsewhere: '--overrides works only with build',
  fileMissing: '--file is missing',
  severityUnknown: (severity: string) => `Unknown severity "${severity}"`,
  promiseUnknown: (word: string) => `No promise contains "${word}"`,
  notInSource: (path: string) => `${path} is not a folder or file in src`,
  noTests: (path: string) => `No tests cover ${path}`,
  notPercent: (given: string) => `--sample must be a number from 1 to 100, not "${given}"`,
  changesMissing: '--changes is missing; expected a YAML file',
  fromMissing: '--from is missing; expected a time',
  untilBeforeFrom: '--until must be after --from',
  statusInvalid: (names: string) => `--status must be one of ${names}`,
  timeInvalid: (option: string) => `--${option} must be a time such as 2026-11-20T10:00:00Z`,
  idInvalid: (option: string) => `--${option} must be a number such as 7`,
}

const FULL = { problem: 'The disk is full', advice: 'Free up space and run this command again' }
const DENIED = {
  problem: "This user can't access a file or folder",
  advice: 'Run this command as the user who owns the file or folder',
}

/** Meanings of the system's errors about files, by their code. */
const FILE_PROBLEMS: Readonly<Record<string, { problem: string; advice: string }>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  EACCES: DENIED,
  EPERM: DENIED,
  SQLITE_BUSY: {
    problem: 'Another program is writing to the database',
    advice: 'Run this command again when that program has finished',
  },
  ENOENT: { problem: 'A file or folder is missing', advice: 'Check its path' },
  ENOTDIR: { problem: 'A path contains a file where a folder is expected', advice: 'Choose another folder' },
  SQLITE_CORRUPT: { problem: 'The database is damaged', advice: 'Restore it with npm run restore' },
}

/** Returns what an error of the system means and what to do; undefined for other errors. */
export function describeFileProblem(code: string, message: string): string | undefined {
  if (!Object.hasOwn(FILE_PROBLEMS, code)) return undefined
  const { problem = '', advice = '' } = FILE_PROBLEMS[code] ?? {}
  return `${problem} (${message}). ${advice}`
}
