/** Why a command or a start cannot go on, beside what each command says itself. */
export const problemTexts = {
  databaseMissing: 'There is no database yet; npm start makes it',
  migrationsPending: (what: string) =>
    `Migrations are pending, which ${what} does not apply; run npm run migrate first`,
  serverRuns: 'Another Signpost server uses this database; stop it, or set DATA_DIR to another folder',
  databaseUrlInvalid: 'DATABASE_URL is not usable; expected file:PATH or postgres://…',
  pragmaWrong: (name: string, actual: unknown, file: string, expected: string | number) =>
    `SQLite has ${name}=${actual} for ${file}; Signpost needs ${expected}`,
  databaseNewer: (revisions: string) =>
    `The database is newer than this program (it has ${revisions}): install the newer version again, or restore a backup that fits this one`,
  migrationUnknown: (revision: string, names: string) =>
    `There is no migration ${revision}; expected one of ${names}`,
  migrationBack: (newest: string, target: string) =>
    `The database is at ${newest} already; migrations only go forward, never back to ${target}`,
  exportNotEmpty: (folder: string) =>
    `${folder} is not empty and no earlier export; name a new or an empty folder`,
  exportLink: (path: string) => `${path} is a link: take it away, or name another folder`,
  pictureChanged: (path: string) => `${path} changed while it was read. Nothing was synced: sync again`,
  contentGone: (folder: string, files: number) =>
    `${folder} has no content files, and ${files} were synced before: nothing was removed. Check CONTENT_DIR, or keep at least one file`,
  contentFolderMissing: (folder: string) =>
    `There is no content folder at ${folder}; create it, or set CONTENT_DIR to the right one`,
  dataFolderReadOnly: (folder: string, reason: string | undefined) =>
    `DATA_DIR is ${folder}, where nothing can be written (${reason}); expected a folder that this user may write to`,
  accountGone: (email: string) => `The account of ${email} was just removed. Run the command again.`,
}
