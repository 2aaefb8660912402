/** Why a content file is not synced. */
export const conflictReasons = {
  fileDeleted: 'the file was deleted, and the admin version changed',
  rowDeleted: 'the file changed, and the admin version was deleted or renamed',
  both: 'the file and the admin version both changed',
  settings: (keys: string) => `${keys} changed both in the file and in the admin`,
  loss: (entries: string) =>
    `syncing the file would delete entries that were edited in the admin: ${entries}`,
  formLoss: (users: string) =>
    `syncing the file would delete a form used by entries or settings that were edited in the admin: ${users}`,
  pictureLoss: (users: string) =>
    `syncing the file would delete a picture used by drafts, or by entries or settings that were edited in the admin: ${users}`,
  andMore: (names: string, more: number) => `${names}, and ${more} more`,
  behind: (path: string, problem: string) => `pending until ${path} is resolved: ${problem}`,
  anotherConflict: 'another conflict',
  type: (path: string) =>
    `pending until ${path} is resolved, because the fields of this type are in conflict`,
  needed: (path: string) =>
    `pending until ${path} is resolved, because the admin version uses something that the file removes`,
  address: 'pending because an entry in conflict still uses this address',
  nextSync: 'pending until the next sync',
}
