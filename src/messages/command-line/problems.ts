/** Why a command or a start can't continue, in addition to each command's own messages. */
export const problemTexts = {
  databaseMissing: 'There is no database yet. Run npm start to create it',
  migrationsPending: (what: string) =>
    `Migrations are pending, and ${what} does not apply them. Run npm run migrate first`,
  serverRuns: 'Another Signpost server uses this database. Stop it, or set DATA_DIR to another folder',
  databaseUrlInvalid: 'DATABASE_URL is not usable; expected file:PATH or postgres://…',
  pragmaWrong: (name: string, actual: unknown, file: string, expected: string | number) =>
    `SQLite has ${name}=${actual} for ${file}; Signpost needs ${expected}`,
  databaseNewer: (revisions: string) =>
    `The database is newer than this version of Signpost (it has the migrations ${revisions}): install the newer version again, or restore a backup from this version`,
  databaseContracted: (version: string, revision: string) =>
    `The database needs Signpost ${version} or newer (since ${revision}): install that version, or restore a backup from this version`,
  migrationUnknown: (revision: string, names: string) =>
    `There is no migration ${revision}; expected one of ${names}`,
  migrationBack: (newest: string, target: string) =>
    `The database is already at ${newest}. Migrations only go forward, so it can’t go back to ${target}`,
  exportNotEmpty: (folder: string) =>
    `${folder} is not empty, and it is not an earlier export. Choose a new or empty folder`,
  exportLink: (path: string) => `${path} is a link. Remove it, or choose another folder`,
  pictureChanged: (path: string) => `${path} changed during the sync, so nothing was synced. Sync again`,
  pictureGone: (name: string) =>
    `The file for the picture ${name} is missing from DATA_DIR/pictures. Restore a backup, or replace the picture in the admin`,
  contentGone: (folder: string, files: number) =>
    `${folder} has no content files, but ${files} were synced before, so nothing was removed. Check CONTENT_DIR, or keep at least one file`,
  fileUnknown: (path: string) =>
    `There is no content file ${path}. Write its path in the content folder, such as services/ac-repair.md`,
  contentFolderMissing: (folder: string) =>
    `There is no content folder at ${folder}. Create it, or correct CONTENT_DIR`,
  dataFolderReadOnly: (folder: string, reason: string | undefined) =>
    `DATA_DIR is ${folder}, which is not writable (${reason}). Choose a folder where this user can write`,
  accountGone: (email: string) => `The account for ${email} was just removed. Run the command again.`,
}
