/** Names of the benchmarks of `npm run bench`. */
export const BENCH_NAMES = [
  'submit',
  'sources',
  'webhooks',
  'leads',
  'build',
  'preview',
  'hugo',
  'serve',
  'admin',
  'results',
  'pictures',
  'quality',
] as const

export type BenchName = (typeof BENCH_NAMES)[number]
