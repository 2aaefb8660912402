import { countOf } from '../plural.ts'

const FILES = { one: 'file', other: 'files' }
const SUBMISSIONS = { one: 'submission', other: 'submissions' }
const UNCHANGED = 'Nothing was restored'

/** Texts of the command that copies files. */
export const fileCommandTexts = {
  wrongDirection: (given: string | undefined) =>
    `--to is ${given === undefined ? 'missing' : `"${given}"`}; expected store (FILE_STORE) or disk (DATA_DIR)`,
  noOtherStore:
    'FILE_STORE is DATA_DIR, so there is nothing to copy. Set FILE_STORE to a bucket or another folder',
  copied: ({ copied, known }: { copied: number; known: number }) =>
    `Copied ${countOf(copied, FILES)}; ${countOf(known, { one: 'file was', other: 'files were' })} already there`,
}

/** Texts of the commands around the database. */
export const databaseCommandTexts = {
  applied: (revision: string) => `Applied ${revision}`,
  nothingToApply: (revision: string | undefined) => `Nothing to apply. The database is at ${revision}`,
  appliedAt: (time: string) => `applied ${time}`,
  pending: 'pending',
  rewritten: (path: string, megabytes: number) => `Rewrote ${path} without deleted data: ${megabytes} MB`,
  vacuumOfPostgres: 'This is a PostgreSQL database. Run VACUUM FULL there instead',
  retentionOff: 'No form has retention_days, so everything is kept.',
  retention: (form: string, { count, before, days }: { count: number; before: string; days: number }) =>
    `${form}: removed ${countOf(count, SUBMISSIONS)} from before ${before} (kept for ${days} days)`,
  retentionPlan: (form: string, { count, before, days }: { count: number; before: string; days: number }) =>
    `${form}: would remove ${countOf(count, SUBMISSIONS)} from before ${before} (kept for ${days} days)`,
}

/** Texts of `backup` and `restore`. */
export const backupTexts = {
  made: ({ file, uploads, seconds }: { file: string; uploads: number; seconds: string }) =>
    `Backed up the database and ${countOf(uploads, { one: 'upload', other: 'uploads' })} to ${file} (${seconds} s)`,
  restored: (time: string) =>
    `Restored the data as of ${time}. Run npm start to publish the pages that differ.`,
  kept: (path: string) => `The previous database is in ${path}`,
  beforeStart: (problem: string) => `Before you start: ${problem}`,
  noDatabase: (path: string) => `There is no database at ${path}. Run npm start first`,
  exists: (file: string) => `${file} already exists. Choose another name`,
  sourceDamaged: (damage: string) => `The database is damaged: ${damage}. Restore the last good backup`,
  notOurDatabase: (path: string) =>
    `${path} is not a Signpost database. Run npm start first, or correct DATABASE_URL`,
  unreadable: "it can't be read",
  orphan: (table: string, parent: string) => `a row in ${table} refers to a missing row in ${parent}`,
  notThere: (file: string) => `${file} does not exist`,
  notStored: (file: string, names: readonly string[]) =>
    `${file} is neither a local file nor a backup in FILE_STORE. Backups in FILE_STORE: ${names.length > 0 ? names.join(', ') : 'none'}`,
  notAFile: (file: string) => `${file} is not a file. Choose a file made by npm run backup`,
  damaged: (file: string, damage: string) => `${file} is damaged: ${damage}. ${UNCHANGED}`,
  notABackup: (file: string) => `${file} is not a Signpost backup; expected a file made by npm run backup`,
  newer: (file: string, revisions: string) =>
    `${file} was made by a newer version (with the migrations ${revisions}). Install that version first`,
  code: (type: string, name: string) => `the ${type} "${name}"`,
  foreignCode: (file: string, names: string) =>
    `${file} contains code that Signpost did not create: ${names}. ${UNCHANGED}`,
  sealLost: (file: string) => `${file} is missing its seal, so someone changed the file. ${UNCHANGED}`,
  noSeal: (file: string) =>
    `${file} has no seal: the file comes from an earlier version, or someone changed it. Add --any-key to restore the backup without checking the seal. ${UNCHANGED}`,
  checksumWrong: (file: string) =>
    `${file} was changed or damaged after the backup: the checksum differs. ${UNCHANGED}`,
  sealChanged: (file: string) =>
    `${file} was changed by someone without your SECRET_KEY: the seal is invalid. ${UNCHANGED}`,
  sealOfOtherKey: (file: string) =>
    `${file} was sealed with another SECRET_KEY. Put that server’s secret.key into DATA_DIR, set SECRET_KEY_PREVIOUS to that server’s key, or add --any-key to restore without checking the seal. ${UNCHANGED}`,
  dumpOfOtherKey: (file: string) =>
    `${file} was sealed with another SECRET_KEY. Put that server’s secret.key into DATA_DIR, or set SECRET_KEY_PREVIOUS to that server’s key. ${UNCHANGED}`,
  ofPostgres: (file: string) =>
    `${file} is a backup of a PostgreSQL database. Set DATABASE_URL to an empty PostgreSQL database. ${UNCHANGED}`,
  ofSqlite: (file: string) =>
    `${file} is a backup of an SQLite database. Restore it without DATABASE_URL. ${UNCHANGED}`,
  anyKeyOfPostgres:
    'On PostgreSQL, the seal is always checked. Instead of using --any-key, set SECRET_KEY_PREVIOUS to the other server’s key',
  databaseNotEmpty: (name: string, count: number) =>
    `${name} is not empty: it has ${countOf(count, { one: 'table', other: 'tables' })} (including sequences). Create an empty database and set DATABASE_URL to it. ${UNCHANGED}`,
  clientMissing: (program: string, needed: number) =>
    `${program} is not installed. Install the package postgresql-client-${needed}, or a newer one`,
  clientOld: (program: string, found: number, needed: number) =>
    `${program} is from PostgreSQL ${found}, but the server runs ${needed}. Install the package postgresql-client-${needed}, or a newer one`,
  dumpFailed: (reason: string) => `pg_dump failed: ${reason}`,
  restoreFailed: (reason: string) => `pg_restore failed: ${reason}. ${UNCHANGED}`,
  copyDamaged: (damage: string) => `The copy is damaged: ${damage}. Check the disk`,
  foreignUpload: (path: string) => `The backup contains an upload with an unknown name: ${path}`,
  serverRuns: 'A Signpost server is using this database. Stop it first',
  databaseOpen: `Another program has the database open. Close it first. ${UNCHANGED}`,
  openedMeanwhile: 'Another program opened the database during the restore. Close it and restore again',
}
