import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { BENCH_NAMES, type BenchName } from './bench/names.ts'
import { type Measurement, printReport } from './bench/report.ts'
import type { SubmitFigures } from './bench/submit.ts'
import { chooseByWord, runCommand, takeWord, WrongUsage } from './command-line.ts'

const DEFAULT_PAGES = '20000'

interface BenchOptions {
  pages: number
  peer: boolean
  overrides: boolean
}

const BENCHES: Record<BenchName, (options: BenchOptions) => Promise<Measurement[]>> = {
  submit: async () => {
    const { DATABASE_URL: databaseUrl = '' } = process.env
    return databaseUrl.startsWith('postgres')
      ? (await import('./bench/submit-postgres.ts')).benchSubmitOnPostgres(databaseUrl)
      : (await (await import('./bench/submit.ts')).benchSubmit()).flatMap(toMeasurements)
  },
  sources: async () => (await import('./bench/sources.ts')).benchSources(),
  webhooks: async ({ peer }) =>
    peer
      ? (await import('./bench/webhook-peer.ts')).benchWebhookPeer()
      : (await import('./bench/webhooks.ts')).benchWebhooks(),
  leads: async () => (await import('./bench/leads.ts')).benchLeads(),
  build: async ({ pages, overrides }) =>
    overrides
      ? (await import('./bench/build/overrides.ts')).benchOverrides({ pages })
      : (await import('./bench/build.ts')).benchBuild({ pages }),
  preview: async (options) => (await import('./bench/preview.ts')).benchPreview(options),
  hugo: async (options) => (await import('./bench/hugo.ts')).benchHugo(options),
  serve: async () => (await import('./bench/serve.ts')).benchServe(),
  admin: async () => (await import('./bench/admin.ts')).benchAdmin(),
  results: async () => (await import('./bench/results.ts')).benchResults(),
  pictures: async () => (await import('./bench/pictures.ts')).benchPictures(),
  quality: async () => (await import('./bench/quality.ts')).benchQuality(),
}
const USAGE = usages.bench(BENCH_NAMES.join('|'))
const OPTIONS = {
  json: { type: 'boolean' },
  pages: { type: 'string', default: DEFAULT_PAGES },
  peer: { type: 'boolean', default: false },
  overrides: { type: 'boolean', default: false },
} as const

const name = takeWord()

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ json = false, pages, peer, overrides }) => {
  const bench = chooseByWord(name, BENCHES, 'bench')
  if (peer && name !== 'webhooks') throw new WrongUsage(usageTexts.peerElsewhere)
  if (overrides && name !== 'build') throw new WrongUsage(usageTexts.overridesElsewhere)
  printReport(name, await bench({ pages: parsePages(pages), peer, overrides }), { json })
})

function parsePages(text: string): number {
  const pages = Number(text)
  if (Number.isInteger(pages) && pages > 0) return pages
  throw new WrongUsage(usageTexts.pagesInvalid)
}

function toMeasurements({ server, rate, p50Ms, p99Ms }: SubmitFigures): Measurement[] {
  return [
    { name: `${server}: accepted`, value: rate, unit: 'posts/s' },
    { name: `${server}: p50`, value: p50Ms, unit: 'ms' },
    { name: `${server}: p99`, value: p99Ms, unit: 'ms' },
  ]
}
