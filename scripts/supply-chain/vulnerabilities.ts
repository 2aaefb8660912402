import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { Failure } from '../../src/lib/messages.ts'
import { supplyChainTexts } from '../../src/messages/command-line/supply-chain.ts'
import { usages, usageTexts } from '../../src/messages/command-line/usage.ts'
import { runCommand, WrongUsage } from '../command-line.ts'
import { type Advisory, isAffected, SEVERITIES, type Severity, severityOf } from './advisory.ts'
import { idOf, type LockedPackage, readLock } from './lockfile.ts'
import { type AdvisoryFile, readAdvisories } from './read-advisories.ts'

const LOCK = new URL('../../package-lock.json', import.meta.url)
const DAY_MS = 86_400_000

const USAGE = usages.vulnerabilities(SEVERITIES.join('|'))

/** Advisories that don't affect the program, each with the reason and the day from which it counts again. */
const ignoredList = z.array(
  z.strictObject({ id: z.string(), reason: z.string().min(10), until: z.iso.date() }),
)

type Ignored = z.output<typeof ignoredList>

interface Hit {
  one: LockedPackage
  advisory: Advisory
}

await runCommand(
  {
    usage: USAGE,
    options: {
      file: { type: 'string' },
      severity: { type: 'string', default: 'low' },
      ignore: { type: 'string' },
      development: { type: 'boolean', default: false },
      lock: { type: 'string' },
    },
  },
  async ({ file, severity, ignore, development, lock }) => {
    if (file === undefined) throw new WrongUsage(usageTexts.fileMissing)
    const least = SEVERITIES.find((one) => one === severity)
    if (least === undefined) throw new WrongUsage(usageTexts.severityUnknown(severity))
    const { packages } = await readLock(lock ?? LOCK)
    const checked = packages.filter(({ isDevelopment }) => development || !isDevelopment)
    const read = await readAdvisories(file, new Set(checked.map(({ name }) => name)))
    describeFile(read, new Date())
    const ignored = ignore === undefined ? [] : await readIgnored(ignore)
    report(findHits(checked, read.advisories), { ignored, least, checked: checked.length, now: new Date() })
  },
)

function describeFile({ count, newest }: AdvisoryFile, now: Date) {
  if (!newest) throw new Failure(supplyChainTexts, 'noAdvisories')
  const days = Math.floor((now.getTime() - newest.getTime()) / DAY_MS)
  const day = newest.toISOString().slice(0, 10)
  console.log(supplyChainTexts.advisories(count, day, days))
}

async function readIgnored(path: string): Promise<Ignored> {
  const { data, error } = ignoredList.safeParse(parse(await readFile(path, 'utf8')) ?? [])
  if (data) return data
  const { path: at = [], message = '' } = error.issues[0] ?? {}
  throw new Failure(supplyChainTexts, 'ignoredInvalid', path, at.join('.'), message)
}

function findHits(packages: readonly LockedPackage[], advisories: readonly Advisory[]): Hit[] {
  return advisories.flatMap((advisory) =>
    packages.filter((one) => isAffected(advisory, one)).map((one) => ({ one, advisory })),
  )
}

function report(
  hits: readonly Hit[],
  { ignored, least, checked, now }: { ignored: Ignored; least: Severity; checked: number; now: Date },
) {
  const today = now.toISOString().slice(0, 10)
  const counting = hits.filter(({ one, advisory }) => {
    const severity = severityOf(advisory)
    const entry = ignored.find(({ id }) => id === advisory.id || advisory.aliases.includes(id))
    const isIgnored = entry !== undefined && today < entry.until
    const note =
      entry &&
      (isIgnored ? supplyChainTexts.ignored(entry.until, entry.reason) : supplyChainTexts.noLongerIgnored)
    console.log([idOf(one), severity, advisory.id, note ?? advisory.summary].join('  '))
    return !isIgnored && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
  })
  if (counting.length > 0) throw new Failure(supplyChainTexts, 'found', least, counting.length)
  console.log(supplyChainTexts.none(least, checked))
}
