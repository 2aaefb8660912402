import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import { COMPONENTS, RENAMED } from '../src/integration/components.ts'
import { compareComponents, removesUsed } from '../src/integration/upgrades/compare-components.ts'
import { readComponents } from '../src/integration/upgrades/component-facts.ts'
import type { Replacement } from '../src/integration/upgrades/list-replacements.ts'
import { writeOverrideRecord } from '../src/integration/upgrades/override-record.ts'
import { renameNames } from '../src/integration/upgrades/rename-names.ts'
import { isMissing } from '../src/lib/is-missing.ts'
import { IS_INSTALLED, PROGRAM_DIR, SITE_DIR } from '../src/lib/program/folders.ts'
import { describeComponentChange, upgradeTexts } from '../src/messages/command-line/upgrade.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { RECORD_FILE } from '../src/publish/plan/template-fingerprint.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { notesBetween } from './upgrade/changelog-notes.ts'
import { listGoneImports } from './upgrade/gone-imports.ts'
import { listMigrations, type OtherVersion, withVersion } from './upgrade/other-version.ts'
import { readOverrides } from './upgrade/read-overrides.ts'

const LATEST = 'signpost@latest'
const OPTIONS = {
  check: { type: 'boolean', default: false },
  rename: { type: 'boolean', default: false },
  accept: { type: 'boolean', default: false },
  to: { type: 'string' },
} as const

await runCommand({ usage: usages.upgrade, options: OPTIONS }, async ({ check, rename, accept, to }) => {
  const chosen = [check, rename, accept].filter(Boolean)
  if (chosen.length !== 1) throw new WrongUsage(upgradeTexts.optionMissing)
  if (!check && to !== undefined)
    throw new WrongUsage(usageTexts.notTogether('--to', accept ? '--accept' : '--rename'))
  if (rename) return renameAll()
  const overrides = await readOverrides(SITE_DIR)
  if (accept) return acceptAll(overrides)
  await withVersion(to ?? LATEST, async (other) => {
    console.log(upgradeTexts.comparing(packageFile.version, other.version))
    const mustChange = [...reportComponents(overrides, other), ...reportImports(other)]
    for (const file of renameNames(SITE_DIR, other.renamed, { write: false }))
      console.log(upgradeTexts.renamable(file))
    await reportMigrations(other)
    reportNotes(other)
    if (mustChange.length > 0) throw new Error(upgradeTexts.mustChange)
  })
})

function renameAll() {
  const files = renameNames(SITE_DIR, RENAMED, { write: true })
  for (const file of files) console.log(upgradeTexts.renamed(file))
  if (files.length === 0) console.log(upgradeTexts.noOldNames)
}

function acceptAll(overrides: readonly Replacement[]) {
  const originals = readComponents(PROGRAM_DIR, COMPONENTS)
  const names = new Set(overrides.map(({ name }) => name))
  const recorded = [...names].flatMap((name) => {
    const facts = originals.get(name)
    return facts ? [[name, { version: packageFile.version, ...facts }]] : []
  })
  writeOverrideRecord(SITE_DIR, Object.fromEntries(recorded))
  console.log(upgradeTexts.accepted(recorded.length, RECORD_FILE))
}

// Lists those whose replacement no longer works.
function reportComponents(overrides: readonly Replacement[], other: OtherVersion): string[] {
  const [before, after] = [readComponents(PROGRAM_DIR, COMPONENTS), other.components]
  const changes = overrides.flatMap(({ name, file }) => {
    const facts = before.get(name)
    const change = facts && compareComponents(facts, after.get(name))
    return change ? [{ name, file, change }] : []
  })
  for (const { name, file, change } of changes)
    console.log(upgradeTexts.component(file, name, describeComponentChange(change)))
  if (changes.length === 0)
    console.log(overrides.length === 0 ? upgradeTexts.noComponents : upgradeTexts.sameComponents)
  const renamed = namesOf(other)
  const broken = changes.filter(({ name, file, change }) =>
    change.kind === 'gone' ? !renamed.has(name) : removesUsed(change, join(SITE_DIR, file)),
  )
  return broken.map(({ name }) => name)
}

function namesOf({ renamed }: OtherVersion): Set<string> {
  return new Set(renamed.flatMap(({ kind, from }) => (kind === 'component' ? [from] : [])))
}

function reportImports(other: OtherVersion): string[] {
  const gone = listGoneImports(SITE_DIR, other.exports).filter((one) => !isRenamed(one, other))
  return gone.map(({ file, module, name }) => {
    console.log(upgradeTexts.importGone(file, name === undefined ? module : `${name} from ${module}`))
    return module
  })
}

function isRenamed({ module, name }: { module: string; name?: string }, { renamed }: OtherVersion): boolean {
  return renamed.some(({ from, ...to }) =>
    to.kind === 'export'
      ? to.module === module && from === name
      : to.kind === 'component' && module === `signpost/components/${from}.astro`,
  )
}

async function reportMigrations({ migrations, contracting }: OtherVersion) {
  const known = new Set(await listMigrations(PROGRAM_DIR))
  const added = migrations.filter((name) => !known.has(name))
  if (added.length === 0) return console.log(upgradeTexts.noMigrations)
  console.log(upgradeTexts.migrations(added))
  const blocking = added.find((name) => contracting.includes(name))
  console.log(blocking === undefined ? upgradeTexts.goesBack : upgradeTexts.goesNotBack(blocking))
}

function reportNotes({ changelog }: OtherVersion) {
  const known = new Set(notesBetween(packageFile.version, ownChangelog()))
  const notes = notesBetween(packageFile.version, changelog).filter((note) => !known.has(note))
  console.log(notes.length > 0 ? upgradeTexts.notes : upgradeTexts.noNotes)
  for (const note of notes) console.log(note)
}

// Beside `package/` when it is installed.
function ownChangelog(): string {
  const file = join(PROGRAM_DIR, IS_INSTALLED ? '..' : '', 'CHANGELOG.md')
  return isMissing(file) ? '' : readFileSync(file, 'utf8')
}
