/** Names of the site in emails. */
export interface MailSite {
  /** `Lone Star Home Services`. */
  business: string
  /** `Lone Star Home Services (www.example.com)`. */
  site: string
}

interface Change extends MailSite {
  /** Author of the change, such as `ann@example.com`. */
  by: string
}

const CHANGES: Record<
  'two_factors_reset' | 'password_set' | 'password_reset' | 'passkey_added' | 'passkey_removed',
  { subject: string; text: (by: string) => string; effect?: string }
> = {
  two_factors_reset: {
    subject: 'Two-step sign-in was reset',
    text: (by: string) =>
      `${by} reset two-step sign-in for your account and removed your passkeys. Until you set up two-step sign-in again, you’ll sign in with only your password.`,
  },
  passkey_added: {
    subject: 'A passkey was added',
    text: (name: string) =>
      `The passkey ${name} was added to your account, so you can now sign in without your password.`,
    effect: 'Every other browser was signed out.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    text: (name: string) =>
      `The passkey ${name} was removed from your account, so you can no longer sign in with it.`,
    effect: 'Every other browser was signed out.',
  },
  password_set: {
    subject: 'Your password was changed',
    text: (by: string) => `${by} set a new password for your account.`,
  },
  password_reset: {
    subject: 'Your password was reset',
    text: () => 'A link sent to this address was used to set a new password for your account.',
  },
}

/** The mail to a user whose sign-in was changed; `by` is who changed it, or the name of a passkey. */
export function accountChangeMail(kind: keyof typeof CHANGES, { by, business, site }: Change) {
  const { subject, text, effect = 'You were signed out of every browser.' } = CHANGES[kind]
  return {
    subject: `${subject} (${business})`,
    text: `${text(by)}\n\nThis email is about your account at ${site}. ${effect}\n\nIf you didn’t expect this, tell an owner right away.\n`,
  }
}

/** Author of changes to accounts on the command line. */
export const serverOperator = 'Someone with access to the server'

/** The password reset email. */
export function passwordResetMail({
  business,
  site,
  link,
  minutes,
}: MailSite & { link: string; minutes: number }) {
  return {
    subject: `Reset your password (${business})`,
    text: [
      `Someone asked to reset the password for your account at ${site}.`,
      `Open this link to choose a new password:\n${link}`,
      `The link works once and expires after ${minutes} minutes. If you didn’t request this link, ignore this email. Your password won’t change.\n`,
    ].join('\n\n'),
    action: { label: 'Choose a new password', link },
  }
}

/** The mail that invites a user. */
export function invitationMail({
  by,
  business,
  site,
  link,
  hours,
}: Change & { link: string; hours: number }) {
  return {
    subject: `Join ${business} on Signpost`,
    text: [
      `${by} invited you to Signpost, which runs the website of ${site}.`,
      `Open this link to choose your password:\n${link}`,
      `The link works once and expires after ${hours} hours. If you didn’t expect an invitation, ignore this email.\n`,
    ].join('\n\n'),
    action: { label: 'Choose your password', link },
  }
}
