/** A number with its unit, and its minimum or maximum. */
export interface Measurement {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

/** Prints measurements on stdout: a table for people, or one JSON object with `json`. */
export function printReport(
  title: string,
  measurements: readonly Measurement[],
  { json }: { json: boolean },
): void {
  if (json) console.log(JSON.stringify({ bench: title, measurements: measurements.map(withVerdict) }))
  else for (const line of tableOf(title, measurements)) console.log(line)
}

function withVerdict(measurement: Measurement) {
  const { value, atLeast, atMost } = measurement
  const hasTarget = atLeast !== undefined || atMost !== undefined
  if (!hasTarget) return measurement
  return { ...measurement, isMet: value >= (atLeast ?? value) && value <= (atMost ?? value) }
}

function tableOf(title: string, measurements: readonly Measurement[]): string[] {
  const width = Math.max(...measurements.map(({ name }) => name.length))
  const lines = measurements.map(
    (one) =>
      `  ${one.name.padEnd(width)}  ${formatNumber(one.value).padStart(9)} ${one.unit}${targetOf(one)}`,
  )
  return [title, ...lines]
}

function targetOf(measurement: Measurement): string {
  const { atLeast, atMost, unit } = measurement
  const checked = withVerdict(measurement)
  if (!('isMet' in checked)) return ''
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`
  return `  (${bound} ${unit}: ${checked.isMet ? 'met' : 'missed'})`
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 })
}
