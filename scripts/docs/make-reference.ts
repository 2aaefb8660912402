import { readFile } from 'node:fs/promises'
import { migrate } from '../../src/db/migrate.ts'
import type { Db } from '../../src/db/schema.ts'
import { listContentTypes } from '../../src/entries/types/content-type-store.ts'
import { createMetrics } from '../../src/server/background/metrics.ts'
import { commandsPage } from './commands-page.ts'
import { componentsPage } from './components-page.ts'
import { configurationPage } from './configuration-page.ts'
import { contentKeysPage } from './content-keys-page.ts'
import { contentSchemas } from './content-schemas.ts'
import { httpPage } from './http-page.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** Returns the text of each generated file, by its path in the project. `db` is an empty database. */
export async function makeReference(db: Db): Promise<Map<string, string>> {
  await migrate(db)
  const { scripts } = JSON.parse(await readFile(PACKAGE, 'utf8'))
  const metrics = createMetrics(db, { machine: '', now: () => new Date() })
  const schemas = [...contentSchemas()].map(
    ([name, schema]) => [`docs/schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`] as const,
  )
  return new Map([
    ['docs/reference/commands.md', commandsPage(Object.keys(scripts))],
    ['docs/reference/components.md', componentsPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/content-keys.md', contentKeysPage(await listContentTypes(db))],
    ['docs/reference/http.md', httpPage(await metrics.text())],
    ...schemas,
  ])
}
