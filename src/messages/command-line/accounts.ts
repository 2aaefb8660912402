import { countOf } from '../plural.ts'

/** Output of `admin:create` and `audit:verify`. */
export const accountTexts = {
  created: (email: string) => `${email} can sign in now.`,
  passwordReplaced: (email: string) => `${email} has a new password and is signed out everywhere.`,
  lastOwner: (email: string) => `${email} is the only owner. Create another owner first. Nothing was changed`,
  unknown: (email: string) => `${email} has no account.`,
  twoFactorsOff: (email: string) => `Two-step sign-in is already off for ${email}.`,
  twoFactorsReset: (email: string) =>
    `Two-step sign-in is off for ${email}. The user was signed out everywhere and can sign in with only a password.`,
  mailMissing: (email: string) => `${email} was not emailed about this: SMTP_URL is not set`,
  mailFailed: (email: string, reason: string) => `The email to ${email} was not sent: ${reason}`,
  askPassword: 'Password: ',
  noTerminal: 'Set ADMIN_PASSWORD, or run this command in a terminal and enter the password there',
  noPassword: 'No password was entered. Nothing was changed',
}

export const auditTexts = {
  broken: (entry: number, time: string) =>
    `The audit log was changed: entry ${entry} (${time}) does not match the entries before it`,
  headMissing: 'The audit log was cut short or rewritten: no entry has that hash',
  intact: (entries: number, hash: string | null) =>
    `The audit log is intact: ${countOf(entries, { one: 'entry', other: 'entries' })}. Hash of the newest entry: ${hash || 'none'}`,
}
