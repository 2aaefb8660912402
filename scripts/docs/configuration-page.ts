import { listVariables } from '../../src/environment.ts'
import { code, page, table } from './markdown.ts'
import { VARIABLES } from './texts/configuration.ts'
import { configurationTexts as texts } from './texts/pages.ts'

/** Makes `docs/reference/configuration.md`. Throws if a variable has no text, or a text no variable. */
export function configurationPage(): string {
  const variables = new Map(listVariables().map((variable) => [variable.name, variable]))
  const unknown = [...variables.keys()].filter((name) => !Object.hasOwn(VARIABLES, name))
  if (unknown.length > 0) throw new Error(`Not in scripts/docs/texts: ${unknown.join(', ')}`)
  const rows = Object.entries(VARIABLES).map(([name, text]) => {
    const variable = variables.get(name)
    if (!variable) throw new Error(`There is no variable ${name}`)
    const preset = variable.default === undefined ? texts.none : code(String(variable.default))
    return [code(name), text.default ?? preset, variable.accepted, text.meaning]
  })
  const head = [texts.variable, texts.default, texts.accepts, texts.meaning]
  return page(texts.intro, table(head, rows))
}
