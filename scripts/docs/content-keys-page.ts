import type { ContentType } from '../../src/entries/types/content-type-store.ts'
import { frontMatterSchema } from '../../src/entries/types/entry-schema.ts'
import { contentSchemas, toJsonSchema } from './content-schemas.ts'
import { describeDefault, describeType, describeValues } from './describe-schema.ts'
import { branchesOf, type JsonSchema, resolve } from './json-schema.ts'
import { code, page, table } from './markdown.ts'
import { ENTRY_KEYS } from './texts/entry-keys.ts'
import { contentKeysTexts as texts } from './texts/pages.ts'
import { webhookKeys } from './webhook-keys.ts'

const FILES: Readonly<Record<string, string>> = {
  site: 'site.yaml',
  taxonomy: 'taxonomies/<slug>.yaml',
  form: 'forms/<slug>.yaml',
  'content-type': 'content_types/<slug>.yaml',
}
const ENTRY_FILES: Readonly<Record<string, string>> = {
  services: 'services/<slug>.md',
  location_services: 'location_services/<service>/<place>.md',
  pages: 'pages/<slug>.md',
  testimonials: 'testimonials/<slug>.md',
}

/** Makes `docs/reference/content-keys.md`: every key of every kind of content file. */
export function contentKeysPage(types: readonly ContentType[]): string {
  const schemas = contentSchemas()
  const yaml = Object.entries(FILES).map(([name, file]) => section(file, schemas.get(name) ?? {}))
  const markdown = Object.entries(ENTRY_FILES).map(([slug, file]) => {
    const type = types.find((one) => one.slug === slug)
    if (!type) throw new Error(`There is no content type ${slug}`)
    return section(file, toJsonSchema(frontMatterSchema(type), ENTRY_KEYS[slug] ?? {}))
  })
  return page(texts.intro, ...yaml, ...markdown, ...webhookKeys())
}

function section(file: string, schema: JsonSchema): string {
  const rows = rowsOf(schema, '', schema)
  const lists = rows.flatMap(({ list }) => list ?? [])
  const head = [texts.key, texts.type, texts.default, texts.meaning]
  return page(
    `## ${code(file)}`,
    table(
      head,
      rows.map(({ cells }) => cells),
    ),
    ...lists,
  ).trimEnd()
}

interface Row {
  cells: string[]
  /** Texts that are too long for their cells. */
  list?: string
}

function rowsOf(schema: JsonSchema, prefix: string, root: JsonSchema): Row[] {
  return branchesOf(schema, root).flatMap((branch) => {
    const inItems = branch.items ? rowsOf(branch.items, `${prefix}[]`, root) : []
    const keys = Object.entries(branch.properties ?? {}).flatMap(([key, value]) => {
      const name = prefix === '' ? key : `${prefix}.${key}`
      const isRequired = branch.required?.includes(key) ?? false
      const cells = [
        code(name),
        describeType(value, root),
        describeDefault(value, isRequired),
        value.description ?? '',
      ]
      const isRecursive = value.items !== undefined && resolve(value.items, root) === branch
      // Conditions have their own section.
      const isCondition = value.anyOf?.some(({ $ref }) => $ref?.endsWith('/condition')) ?? false
      const list = describeValues(value, name)
      // Dark colors have the keys of colors.
      const isClosed = isRecursive || isCondition || name === 'theme.dark_colors'
      return [{ cells, ...(list && { list }) }, ...(isClosed ? [] : rowsOf(value, name, root))]
    })
    return [...inItems, ...keys]
  })
}
