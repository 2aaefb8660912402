import { countOf } from '../plural.ts'

/** Doubts about the components of a site. */
export const overrideTexts = {
  propMissing: (file: string, name: string, prop: string) =>
    `${file} needs the prop "${prop}", which ${name} does not receive. Make the prop optional, or remove it`,
  outdated: (file: string, name: string, version: string, change: string) =>
    `${file} was written for ${name} in Signpost ${version}: ${change}. Check the file, then run signpost upgrade --accept`,
}

interface NameChanges {
  added: readonly string[]
  removed: readonly string[]
  changed?: readonly string[]
}

type Change =
  | { kind: 'gone' }
  | { kind: 'source' }
  | { kind: 'parts'; props: NameChanges; slots: NameChanges }

/** Returns how a component differs from an earlier version, as a part of a sentence. */
export function describeComponentChange(change: Change): string {
  if (change.kind === 'gone') return 'the component no longer exists'
  if (change.kind === 'source') return 'its props and slots are the same, but its HTML or code changed'
  return [...describeNames('props', change.props), ...describeNames('slots', change.slots)].join('; ')
}

function describeNames(what: string, { added, removed, changed = [] }: NameChanges): string[] {
  const parts = [['new', added] as const, ['removed', removed] as const, ['changed', changed] as const]
  return parts.flatMap(([word, names]) => (names.length > 0 ? [`${word} ${what} ${names.join(', ')}`] : []))
}

const MIGRATIONS = { one: 'migration', other: 'migrations' }
const COMPONENTS = { one: 'replaced component', other: 'replaced components' }

/** Output of `signpost upgrade`. */
export const upgradeTexts = {
  comparing: (from: string, to: string) => `Comparing Signpost ${from} with ${to}`,
  component: (file: string, name: string, change: string) => `${file} replaces ${name}: ${change}`,
  sameComponents: 'The components you replaced are the same in both versions',
  noComponents: 'Your site doesn’t replace any components',
  importGone: (file: string, name: string) => `${file} imports ${name}, which no longer exists`,
  migrations: (names: readonly string[]) =>
    `${countOf(names.length, MIGRATIONS)} when Signpost next starts: ${names.join(', ')}. Make a backup first`,
  goesBack: 'The earlier version still works with the upgraded database',
  goesNotBack: (name: string) => `The earlier version can’t open the database after ${name}`,
  noMigrations: 'No migrations',
  notes: 'Changes and removals, from the changelog:',
  noNotes: 'The changelog lists no changed or removed formats',
  mustChange: 'Change these files before you upgrade',
  accepted: (count: number, file: string) => `Recorded ${countOf(count, COMPONENTS)} in ${file}`,
  renamable: (file: string) => `signpost upgrade --rename replaces old names in ${file} after the upgrade`,
  renamed: (file: string) => `Replaced old names in ${file}`,
  noOldNames: 'Your files don’t use any old names',
  optionMissing: 'Use --check, --rename, or --accept',
  notAPackage: (spec: string) => `${spec} is not a Signpost version or tarball`,
  notDownloaded: (spec: string, reason: string) =>
    `npm can’t download ${spec}: ${reason}. Check the registry in .npmrc, or specify a version or tarball with --to`,
}
