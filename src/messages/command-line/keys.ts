import { countOf } from '../plural.ts'

const VALUES = { one: 'value', other: 'values' }
const KEEP = 'Keep the old key as long as you keep backups made with it'
const UNCHANGED = 'Nothing was changed'

/** Output of `key:rotate`, and what is wrong with keys. */
export const keyTexts = {
  setInEnvironment:
    'SECRET_KEY is set in the environment, so only you can replace the key. Set SECRET_KEY_PREVIOUS to the current key and SECRET_KEY to a new one (openssl rand -base64 32), restart the server, and run npm run key:rotate again',
  finishLater: (howToFinish: string) =>
    `In 30 minutes, when open forms and sign-ins no longer use the old key, ${howToFinish}`,
  finishFile: 'run npm run key:rotate -- --finish',
  finishEnvironment: `remove SECRET_KEY_PREVIOUS and restart the server. ${KEEP}`,
  nothingToFinish: 'No key rotation is in progress, so there is nothing to finish',
  finished: (path: string, former: string) =>
    `${path} now contains only the new key. The old key is in ${former}. Delete the old key once you no longer need the backups made with it`,
  busy: 'Another npm run key:rotate is running. Wait until that run is done',
  unchanged: (problem: string) => `${problem}. ${UNCHANGED}`,
  noFile: (path: string) => `${path} does not exist yet. npm start creates it`,
  continuing: (path: string) => `Continuing with the new key in ${path}`,
  created: (path: string) => `Created a new key in the first line of ${path}. The old key stays valid`,
  otherFiles: (machines: string) =>
    `${machines} use this database with their own secret.key. Set SECRET_KEY and SECRET_KEY_PREVIOUS on every server instead. ${UNCHANGED}`,
  sealed: (values: number) =>
    values > 0
      ? `Encrypted ${countOf(values, VALUES)} with the new key`
      : 'Everything is encrypted with the new key',
  /** In the audit log. */
  audit: 'Encrypted the stored secrets with a new SECRET_KEY',
  unreadable: (values: number) =>
    `No key can decrypt ${countOf(values, VALUES)}, so those values were not changed. Run npm run doctor to list the affected webhooks`,
  formerKeyBack: (path: string) =>
    `The restored secrets are encrypted with an old key, which is valid again in ${path}. Run npm run key:rotate to encrypt these secrets with the new key.`,
  fileInvalid: (path: string) =>
    `${path} does not contain 32 bytes in base64. Restore it from your copy, or set SECRET_KEY`,
  expected: '32 bytes in base64; make one with: openssl rand -base64 32',
  previousExpected: 'the old key, 32 bytes in base64, together with a new SECRET_KEY',
}
