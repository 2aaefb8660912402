const CHECK = 'check DATABASE_URL'
const RESTORE = 'Restore a backup with npm run restore'

/** Problems of the database server, by the code of the failure. */
const SERVER_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  ETIMEDOUT: 'does not respond',
  EHOSTUNREACH: 'can’t be reached',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that can’t be resolved right now',
  '28P01': 'rejected the user name or password',
  '28000': 'rejected the user name',
  '3D000': 'does not have a database with this name',
  '53300': 'has no connections left',
  '57P03': 'is starting or stopping',
}

const ADVICE: Readonly<Record<string, string>> = {
  '53300':
    'raise its max_connections or lower DATABASE_POOL. Each Signpost server uses one connection more than DATABASE_POOL, and commands use a few',
  '57P03': 'try again in a moment',
}

/** Says what is wrong with the server at this address; undefined for other failures. */
export function describeServerProblem(code: string, address: string): string | undefined {
  const problem = SERVER_PROBLEMS[code]
  if (!problem) return undefined
  return `The database server at ${address} ${problem} (${code}); ${ADVICE[code] ?? CHECK}`
}

/** Why a database file cannot be opened. */
export const fileProblems = {
  notADatabase: (path: string) => `${path} is not an SQLite database. ${RESTORE}, or ${CHECK}`,
  damaged: (path: string, reason: string) => `${path} is damaged (${reason}). ${RESTORE}`,
  diskFull: (path: string, reason: string) =>
    `${path} can’t be written (${reason}). Check whether the disk is full or failing`,
  denied: (path: string) =>
    `This user can’t read and write ${path}. Run the command as the user who owns the other files in that folder, or change the owner of this one`,
  folderDenied: (folder: string) =>
    `This user can’t create files in ${folder}. Run the command as the user who owns the folder, or change the owner of the folder`,
  unopened: (path: string, reason: string) =>
    `The database file ${path} can’t be opened (${reason}); ${CHECK}`,
  unreadable: 'it can’t be read',
}

/** Failures while the database is in use. */
export const databaseFailures = {
  noAnswer: (seconds: number) => `The database did not respond within ${seconds} s (ETIMEDOUT)`,
  uncertainCommit: 'The connection was lost during a commit, so the change may or may not have been saved',
  migrationFailed: (name: string, reason: string) =>
    `Migration ${name} failed and changed nothing: ${reason}`,
}

const KEY_LOST =
  'If that key is lost, run npm run webhooks -- accept-key, then enter secret headers again and generate new signing secrets for your webhooks'

/** Problems with the keys that the program was given. */
export const keyProblems = {
  wrong: `SECRET_KEY is not the key that this database was created with. Set SECRET_KEY to that key, or put the file secret.key back into DATA_DIR. ${KEY_LOST}`,
  bothWrong: `Neither SECRET_KEY nor the old key (SECRET_KEY_PREVIOUS, or the second line of secret.key) is the key that this database was created with. Set SECRET_KEY or SECRET_KEY_PREVIOUS to that key. ${KEY_LOST}`,
}
