import { camelCase } from '../../src/lib/camel-case.ts'
import { usages } from '../../src/messages/command-line/usage.ts'
import { BENCH_NAMES } from '../bench/names.ts'
import { SEVERITIES } from '../supply-chain/advisory.ts'
import { code, page, table } from './markdown.ts'
import { COMMAND_GROUPS, type CommandText } from './texts/commands.ts'
import { commandsTexts as texts } from './texts/pages.ts'

/** Makes `docs/reference/commands.md`. Throws if a script, or an option in its usage, has no text. */
export function commandsPage(scripts: readonly string[]): string {
  const known = COMMAND_GROUPS.flatMap(({ commands }) => commands.map(({ script }) => script))
  const differing = [
    ...scripts.filter((name) => !known.includes(name)),
    ...known.filter((name) => !scripts.includes(name)),
  ]
  if (differing.length > 0)
    throw new Error(`Not in both package.json and scripts/docs/texts: ${differing.join(', ')}`)
  const groups = COMMAND_GROUPS.map(({ title, commands }) =>
    [`## ${title}`, ...commands.map(section)].join('\n\n'),
  )
  return page(texts.intro, ...groups, texts.astro)
}

function section(command: CommandText): string {
  const usage = usageOf(command.script)
  const options = Object.entries(command.options ?? {})
  checkOptions(command, usage)
  const name =
    command.script === 'start' || command.script === 'test'
      ? `npm ${command.script}`
      : `npm run ${command.script}`
  const blocks = [`### ${code(name)}`, command.does]
  if (usage.split('\n').length > 1 || usage !== name) blocks.push(`\`\`\`text\n${usage}\n\`\`\``)
  if (options.length > 0)
    blocks.push(
      table(
        [texts.option, texts.meaning],
        options.map(([option, meaning]) => [code(option), meaning]),
      ),
    )
  return blocks.join('\n\n')
}

function usageOf(script: string): string {
  const usage = Object.entries(usages).find(([name]) => name === camelCase(script.replace(':', '_')))?.[1]
  if (usage === undefined) return script === 'test' ? 'npm test' : `npm run ${script}`
  if (typeof usage === 'string') return usage
  return usage((script === 'bench' ? BENCH_NAMES : SEVERITIES).join('|'))
}

function checkOptions({ script, options = {} }: CommandText, usage: string) {
  const used = new Set(usage.match(/(?<=[\s[])--[a-z][a-z-]*/g))
  const described = Object.keys(options).filter((option) => option.startsWith('--'))
  const differing = [...used]
    .filter((one) => !described.includes(one))
    .concat(described.filter((one) => !used.has(one)))
  if (differing.length > 0)
    throw new Error(`${script} and its text in scripts/docs/texts differ in ${differing.join(', ')}`)
}
