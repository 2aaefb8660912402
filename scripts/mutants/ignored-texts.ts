import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

interface Syntax {
  type: string
  value?: unknown
  name?: string
  callee?: Syntax
  object?: Syntax
  property?: Syntax
  quasis?: { value: { raw: string } }[]
}

interface SyntaxPath {
  node: Syntax
  parent?: Syntax
}

const PROSE = /^[A-Z].* /s

/** Returns why a piece of code is not mutated, or undefined: changing a text for people is not a fault. */
export function whyIgnored({ node, parent }: SyntaxPath): string | undefined {
  if (isLogCall(node)) return 'text of a log'
  const text = textOf(node)
  if (text === undefined) return undefined
  if (PROSE.test(text)) return 'text for people'
  return parent && isError(parent) ? 'text of an error' : undefined
}

function textOf({ type, value, quasis }: Syntax): string | undefined {
  if (type === 'StringLiteral') return String(value)
  return type === 'TemplateLiteral' ? quasis?.map((part) => part.value.raw).join('…') : undefined
}

function isLogCall({ type, callee }: Syntax): boolean {
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false
  const { name } = callee.object?.property ?? callee.object ?? {}
  return name === 'log' || name === 'console'
}

function isError({ type, callee }: Syntax): boolean {
  return type === 'NewExpression' && /Error$/.test(callee?.name ?? '')
}

const ignorer = { shouldIgnore: (path: object) => whyIgnored(path as SyntaxPath) }

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', ignorer)]
