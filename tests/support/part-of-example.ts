import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './database.ts'
import { EXAMPLE_CONTENT } from './running-site.ts'

const LEFT_OUT = /^(testimonials|location_services|services\/(?!ac-repair\.md$))/

/**
 * Makes a folder with the example's settings, forms, and pages, and only AC repair in Austin: everything one visitor
 * sees, built in a second instead of five. The test may change it.
 */
export function aPartOfTheExample(t: TestContext, example = EXAMPLE_CONTENT): string {
  const folder = join(temporaryFolder(t), 'content')
  const isTaken = (source: string) => !LEFT_OUT.test(relative(example, source))
  cpSync(example, folder, { recursive: true, filter: isTaken })
  const service = join(folder, 'services', 'ac-repair.md')
  const text = readFileSync(service, 'utf8')
  writeFileSync(service, text.replace(/^offered_in:\n( {2}- .*\n)+/m, 'offered_in:\n  - austin/**\n'))
  return folder
}
