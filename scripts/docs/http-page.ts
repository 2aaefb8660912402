import { code, page, table } from './markdown.ts'
import type { Endpoint } from './texts/endpoint.ts'
import { ENDPOINT_GROUPS } from './texts/http.ts'
import { httpTexts as texts } from './texts/pages.ts'

const METRIC = /^# HELP (?<name>signpost_\w+) (?<help>.*)\n# TYPE \S+ (?<type>\w+)$/gm

/** Makes `docs/reference/http.md`; `metrics` is the output for Prometheus. */
export function httpPage(metrics: string): string {
  const groups = ENDPOINT_GROUPS.map(({ title, intro, endpoints, isList }) => {
    const parts = isList ? [list(endpoints)] : endpoints.map(section)
    return [`## ${title}`, ...(intro ? [intro] : []), ...parts].join('\n\n')
  })
  const rows = [...metrics.matchAll(METRIC)].map(({ groups: { name = '', type = '', help = '' } = {} }) => [
    code(name),
    type,
    help,
  ])
  return page(texts.intro, ...groups, texts.metrics, table([texts.metric, texts.type, texts.meaning], rows))
}

function list(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(({ path, does, answers }) => [code(path), does, otherAnswers(answers)])
  return table([texts.address, texts.page, texts.otherAnswers], rows)
}

function otherAnswers(answers: Endpoint['answers']): string {
  const others = Object.entries(answers).filter(([status]) => status !== '200')
  return others.map(([status, when]) => `${status}: ${when}`).join(' ')
}

function section({ method, path, does, answers, example }: Endpoint): string {
  const rows = Object.entries(answers).map(([status, when]) => [status, when])
  const blocks = [`### ${code(`${method} ${path}`)}`, does, table([texts.status, texts.when], rows)]
  if (example) blocks.push(`\`\`\`json\n${example}\n\`\`\``)
  return blocks.join('\n\n')
}
