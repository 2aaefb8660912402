import { countOf } from '../plural.ts'

const UNSYNCED = { one: 'content file is not synced', other: 'content files are not synced' }

/** Errors in content files. */
export const fileErrorTexts = {
  notice: (count: number) =>
    `${countOf(count, { one: 'error in a content file is blocking', other: 'errors in content files are blocking' })} the sync.`,
  show: 'Show errors',
  title: 'Errors',
  titleOf: (server: string) => `Errors on ${server}`,
  hint: 'Correct the errors, then sync with npm run content:sync. Until then, nothing will sync.',
  ofOthers: 'Your role doesn’t let you see the errors in these files.',
  lastSync: 'Last sync',
}

/** Content files that changed here and in the admin. */
export const conflictTexts = {
  title: 'Content files',
  lead: 'Resolve errors and conflicting changes in content files.',
  notice: (files: number) => `${countOf(files, UNSYNCED)} because of conflicting changes in the admin.`,
  compare: 'Compare versions',
  empty: 'No errors or conflicts',
  emptyText: 'The last sync updated everything.',
  pending: 'Pending files',
  pendingHint: 'These files will sync once you resolve the conflicts in the files they depend on.',
  ofOthers: 'Managers and owners only',
  notYours: 'Your role doesn’t let you resolve conflicts in these files.',
  since: 'Since',
  onlyAdmin: (fields: string) => `Changed only in the admin: ${fields}. Every option keeps these changes.`,
  onlyFile: (fields: string) =>
    `Changed only in the file: ${fields}. “Keep admin version” discards these changes.`,
  onlySettings: (fields: string) => `Changed only in the file: ${fields}. Every option keeps these changes.`,
  noneOnBoth: 'The changes don’t overlap. Merge the versions to keep every change.',
  mergeBoth: 'Merge both versions',
  admin: 'Admin',
  file: 'File',
  noValue: 'empty',
  keepAdmin: 'Keep admin version',
  keepDeletion: 'Keep deletion',
  takeField: 'Use file value',
  takeFieldOf: (field: string) => `Use the file value for ${field}`,
  mergeFields: 'Save selected fields',
  takeFile: 'Use file version',
  takeDeletion: 'Delete admin version',
  outdated: 'The file or the admin version has since changed. Compare the versions again.',
  tookFile: (path: string) => `Used the file version of ${path}`,
  mergedFields: (path: string) => `Merged the file and admin versions of ${path}`,
  keptAdmin: (path: string) => `Kept the admin version of ${path}`,
}
