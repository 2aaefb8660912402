import { connectSqlite } from '../db/connect.ts'
import { migrate, migrationNames } from '../db/migrate.ts'
import { Failure } from '../lib/messages.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import {
  type BackupFile,
  type BackupLabel,
  type BackupSeal,
  findDamage,
  findLabel,
  holdsDump,
  listPrograms,
  listRevisions,
  openBackup,
  removeUnfinished,
} from './backup-file-store.ts'
import { checkSeal, type SealState } from './backup-seal.ts'
import { digestContents, digestRows, digestWithoutCounters } from './digest-store.ts'

/** The first revision whose backups have a seal. */
const FIRST_SEALED = '0051'

/** Options of a check. */
export interface Check {
  /** The backup's name, for messages. */
  file: string
  /** Today's key and earlier ones. */
  secretKeys: readonly Uint8Array[]
  /** Accepts another key's seal, and a backup from before seals. */
  anyKey: boolean
}

const SEAL_PROBLEMS: Record<Exclude<SealState, 'sealed'>, (file: string) => string> = {
  changed: backupTexts.sealChanged,
  'other-key': backupTexts.sealOfOtherKey,
}

/**
 * Returns when the backup was made. Throws a one-sentence error if it is damaged, changed, newer than the program, not
 * a backup, for PostgreSQL, or sealed with another key.
 */
export async function checkContents(backup: BackupFile, check: Check): Promise<string> {
  const { file } = check
  const { label, revisions } = await describe(backup, file)
  if (holdsDump(backup)) throw new Failure(backupTexts, 'ofPostgres', file)
  await refuseForeignPrograms(backup, { file, revision: revisions.at(-1) ?? '' })
  refuseChanges(backup, { ...check, label, revisions })
  return label.madeAt
}

/** As `checkContents`, for a backup of PostgreSQL. */
export async function checkDump(backup: BackupFile, check: Check): Promise<string> {
  const { label, revisions } = await describe(backup, check.file)
  if (!holdsDump(backup)) throw new Failure(backupTexts, 'ofSqlite', check.file)
  refuseChanges(backup, { ...check, label, revisions })
  return label.madeAt
}

async function describe(backup: BackupFile, file: string) {
  const damage = findDamage(backup)
  if (damage) throw new Failure(backupTexts, 'damaged', file, damage)
  const label = findLabel(backup)
  const revisions = listRevisions(backup)
  if (!label || !revisions) throw new Failure(backupTexts, 'notABackup', file)
  const known = new Set(await migrationNames())
  const newer = revisions.filter((name) => !known.has(name))
  if (newer.length > 0) throw new Failure(backupTexts, 'newer', file, newer.join(', '))
  return { label, revisions }
}

// Triggers and views are code that the database would run: only those of the migrations are allowed.
async function refuseForeignPrograms(
  backup: BackupFile,
  { file, revision }: { file: string; revision: string },
) {
  const own = new Set((await listOwnPrograms(`${backup.name}.schema`, revision)).map(({ sql }) => sql))
  const foreign = listPrograms(backup).filter(({ sql }) => !own.has(sql))
  const names = foreign.map(({ type, name }) => backupTexts.code(type, name)).join(', ')
  if (foreign.length > 0) throw new Failure(backupTexts, 'foreignCode', file, names)
}

async function listOwnPrograms(path: string, revision: string) {
  await removeUnfinished(path)
  try {
    const db = connectSqlite(path)
    await migrate(db, { to: revision }).finally(() => db.destroy())
    const file = openBackup(path)
    const programs = listPrograms(file)
    file.close()
    return programs
  } finally {
    await removeUnfinished(path)
  }
}

function refuseChanges(
  backup: BackupFile,
  { file, secretKeys, anyKey, label, revisions }: Check & { label: BackupLabel; revisions: string[] },
) {
  if (!hasSeal(label)) {
    if (revisions.some((name) => name >= FIRST_SEALED)) throw new Failure(backupTexts, 'sealLost', file)
    if (digestRows(backup) !== label.digest) throw changedOrDamaged(file)
    // A later backup stripped of its seal and last revisions looks the same.
    if (anyKey) return
    throw new Failure(backupTexts, 'noSeal', file)
  }
  if (digestContents(backup) !== label.digest && digestWithoutCounters(backup) !== label.digest)
    throw changedOrDamaged(file)
  const state = checkSeal(label, secretKeys)
  if (state === 'sealed' || (state === 'other-key' && anyKey)) return
  throw new Error(sealProblems(backup)[state](file))
}

// No option restores a dump without its seal.
function sealProblems(backup: BackupFile) {
  return holdsDump(backup) ? { ...SEAL_PROBLEMS, 'other-key': backupTexts.dumpOfOtherKey } : SEAL_PROBLEMS
}

function hasSeal(label: BackupLabel): label is BackupLabel & { seal: BackupSeal } {
  return label.seal !== undefined
}

function changedOrDamaged(file: string): Error {
  return new Failure(backupTexts, 'checksumWrong', file)
}
