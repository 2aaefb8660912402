import { basename } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { openSharedSnapshot } from '../../db/snapshot.ts'
import type { PublishScopeCode } from '../../db/tables/publish-tables.ts'
import { countShownEntries } from '../../entries/entry-schedule-store.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { namingSameAddress } from '../addresses/same-address.ts'
import { findLogEnd, type LogPosition } from '../changes/change-store.ts'
import { findScope } from '../changes/find-scope.ts'
import type { KeptTrees } from '../changes/kept-trees.ts'
import { type ChangeScope, isNothing, type Scope } from '../changes/scope.ts'
import type { ReleaseFacts } from '../ledger/ledger-store.ts'
import type { Bundle } from '../render/bundle.ts'
import { countJobs, openTeam, openTeamFor, type Team } from '../render/run-shares.ts'
import type { Before, Wanted } from './compare-site.ts'

interface TeamQuestion {
  siteUrl: string
  databaseUrl?: string | undefined
  jobs?: number | undefined
  full?: boolean | undefined
  check?: boolean | undefined
  shards?: readonly string[] | undefined
  before: Before
  bundle: Bundle
  now: Date
  /** True for the live content with what a schedule or a person publishes. */
  partial?: 'schedule' | 'selected' | undefined
  /** Position in the log of that content up to which all is live. */
  since?: LogPosition | undefined
  /** Default: the trees are loaded. */
  trees?: KeptTrees | undefined
  ahead?: ReleaseFacts['ahead']
  /** True if visitors see a release before the last one. */
  isHeld?: boolean
}

/** Runs work with the processes that compare and render, using as few as the scope needs. */
export async function withTeam<T>(
  db: Db,
  question: TeamQuestion,
  work: (team: Team, wanted: Wanted) => Promise<T>,
): Promise<T> {
  const { bundle, now, siteUrl, databaseUrl, jobs, partial, ahead } = question
  const position = await findLogEnd(db)
  const wanted = { bundle, program: programOf(bundle, siteUrl), position, partial, ahead }
  const part = await withPart(db, question, wanted.program, (team, scope) => work(team, { ...wanted, scope }))
  if ('done' in part) return part.done
  const count = countJobs(await countShownEntries(db, now), jobs)
  await using team = await openTeam(db, { siteUrl, databaseUrl, now, jobs: count })
  return await namingSameAddress(team, () => work(team, { ...wanted, scope: part }))
}

/** Number of processes for the pages of a scope; other processes need a database that they can open. */
function countHelped({ entryIds }: ChangeScope, { databaseUrl, jobs }: TeamQuestion): number {
  return databaseUrl ? Math.min(countJobs(entryIds.length), jobs ?? Number.POSITIVE_INFINITY) : 1
}

// The work reads the same snapshot as the scope, whatever others save meanwhile. Without a part, returns why.
async function withPart<T>(
  db: Db,
  question: TeamQuestion,
  program: string,
  work: (team: Team, scope: ChangeScope) => Promise<T>,
): Promise<{ done: T } | Extract<Scope, { kind: 'all' }>> {
  const { before, databaseUrl, partial, siteUrl, now } = question
  const code = whyAll(question, program)
  if (code || !before.facts) return { kind: 'all', code: partial ?? code ?? 'first' }
  let token = ''
  const sharing = async (given: string) => {
    token = given
  }
  await using snapshot = databaseUrl ? await openSharedSnapshot(databaseUrl, sharing) : undefined
  const reading = snapshot?.db ?? db
  const scope = await findPart(reading, question)
  if (scope.kind === 'all') return scope
  const { content = {} as SiteContent, near } = scope
  const options = { siteUrl, now, databaseUrl, jobs: countHelped(scope, question) }
  await using team = await openTeamFor({ db: reading, content, near, token }, options)
  return { done: await work(team, scope) }
}

async function findPart(
  db: Db,
  { before: { ledger, facts }, now, siteUrl, partial, since, trees }: TeamQuestion,
): Promise<Scope> {
  if (!facts) return { kind: 'all', code: 'first' }
  const known = since ? { ...facts, position: since } : facts
  const scope = await findScope(db, { ledger, facts: known, siteUrl, now, trees })
  // A change that affects no page becomes live only if it is recorded, which a comparison of all pages does.
  const isWhole = scope.kind === 'all' || isNothing(scope)
  return partial && isWhole ? { kind: 'all', code: partial } : scope
}

/** Why every page is compared, if the change log can't be used. */
function whyAll(
  { before, full, check, shards, isHeld }: TeamQuestion,
  program: string,
): Exclude<PublishScopeCode, 'changes'> | undefined {
  const { facts } = before
  if (full || check || (shards && shards.length > 0)) return 'asked'
  if (!facts) return 'first'
  if (facts.program !== program) return 'program'
  return isHeld ? 'rolled_back' : undefined
}

function programOf({ folder, fingerprint }: Bundle, siteUrl: string): string {
  return `${basename(folder)} ${fingerprint} ${siteUrl}`
}
