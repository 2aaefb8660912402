import { type Measurement, printReport } from './bench/report.ts'
import type { SubmitFigures } from './bench/submit.ts'
import { runCommand, WrongUsage } from './command-line.ts'

const BENCHES: Record<string, () => Promise<Measurement[]>> = {
  submit: async () => (await (await import('./bench/submit.ts')).benchSubmit()).flatMap(toMeasurements),
  webhooks: async () => (await import('./bench/webhooks.ts')).benchWebhooks(),
  quality: async () => (await import('./bench/quality.ts')).benchQuality(),
}
const USAGE = `npm run bench -- ${Object.keys(BENCHES).join('|')} [--json]`

// Options are all that the command line reads: the name of the bench stands before them.
const [name = ''] = process.argv.splice(2, 1)

await runCommand({ usage: USAGE, options: { json: { type: 'boolean' } } }, async ({ json = false }) => {
  const bench = BENCHES[name]
  if (!bench) throw new WrongUsage(`There is no bench "${name}"`)
  printReport(name, await bench(), { json })
})

function toMeasurements({ server, rate, p50Ms, p99Ms }: SubmitFigures): Measurement[] {
  return [
    { name: `${server}: accepted`, value: rate, unit: 'posts/s' },
    { name: `${server}: p50`, value: p50Ms, unit: 'ms' },
    { name: `${server}: p99`, value: p99Ms, unit: 'ms' },
  ]
}
