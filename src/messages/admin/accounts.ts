import { countOf } from '../plural.ts'

const CODES = { one: 'recovery code left', other: 'recovery codes left' }

/** Signing in, and the page after a session has ended. */
export const signInTexts = {
  title: 'Sign in',
  labels: { email: 'Email address', password: 'Password', code: 'Code' },
  buttons: { signIn: 'Sign in', restart: 'Start over' },
  noAccount: 'There are no accounts yet. Open the setup link that the server printed when it started.',
  wrong: 'Incorrect email address or password. Check both and try again.',
  forgot: 'Forgot password?',
  /** Anyone can read it, so it doesn't name the configuration. */
  forgotWithoutMail: 'Forgot your password? Ask the person who runs the server to reset it.',
  passwordSet: 'Password set. Sign in with your new password.',
  codeTitle: 'Six-digit code',
  codeHint: 'Enter the six-digit code from your authenticator app, or a recovery code.',
  wrongCode: 'This code is incorrect or was already used. Wait for a new code, then try again.',
  tooMany: (minutes: number) =>
    `Too many failed attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
}

/** Asking for a link to a new password. */
export const resetRequest = {
  title: 'Reset password',
  text: 'Enter your email address. We’ll send you a link to set a new password.',
  label: 'Email address',
  button: 'Send link',
  sent: (minutes: number) =>
    `If this address has an account, a link is on its way. The link expires in ${minutes} minutes.`,
  back: 'Back to sign-in',
}

/** The page that such a link opens. */
export const resetPage = {
  title: 'Set new password',
  text: 'Setting a new password will sign you out of every browser. Two-step sign-in will stay on, and passkeys will keep working.',
  labels: { email: 'Email address' },
  button: 'Set password',
  expired: 'This link is no longer valid',
  expiredText: (minutes: number) => `Each link works only once and expires after ${minutes} minutes.`,
  again: 'Send new link',
}

export const endedSession = {
  title: 'Signed out',
  heading: 'You’re signed out',
  notSaved: 'Your session has ended, so nothing was saved.',
  kept: 'Your changes are still on this page. Open another tab to sign in, then come back and save them.',
  buttons: { signIn: 'Sign in', first: '1. Sign in', second: '2. Save again' },
}

/** A form sent when the password was confirmed too long ago. */
export const stalePassword = {
  title: 'Confirm your password',
  heading: 'Confirm your password',
  notSaved: 'You haven’t confirmed your password recently, so nothing was saved.',
  kept: 'Your changes are still on this page. Open another tab to confirm your password, then come back and save them.',
  buttons: { first: '1. Confirm password', second: '2. Save again' },
}

/** The question for the password before secrets, accounts, and exports. */
export const passwordCheck = {
  title: 'Confirm your password',
  text: 'To protect secrets, accounts, and exports, confirm that it’s you. You won’t be asked again for 15 minutes.',
  label: 'Password',
  buttons: { confirm: 'Confirm', cancel: 'Cancel' },
  wrong: 'Incorrect password. Try again.',
  exportTitle: 'Your export',
  exportHeading: 'Your export is downloading',
  exportText: 'If the download doesn’t start, use this link:',
  exportLink: 'Download the file',
  exportBack: 'Back to inbox',
}

/** The first account. */
export const setupTexts = {
  title: 'Setup',
  heading: 'Create the first account',
  text: 'This account has full access to the admin. You can invite others later.',
  labels: { email: 'Email address', name: 'Your name' },
  button: 'Create account',
  welcome: 'Welcome. Your account is ready, and you are signed in.',
  expired: 'This link no longer works',
  expiredText:
    'Setup links stop working once the first account exists. If there is no account yet, restart the server to get a new link.',
  signIn: 'Sign in',
}

/** The page that an invitation opens. */
export const invitationPage = {
  title: 'Your invitation',
  heading: 'Choose your password',
  text: 'You’ll sign in with your email address and this password.',
  labels: { email: 'Email address' },
  button: 'Set password',
  welcome: 'Welcome. Your password is set, and you are signed in.',
  expired: 'This invitation is no longer valid',
  expiredText: (hours: number) =>
    `Each invitation works only once and expires after ${hours} hours. Ask the person who invited you for a new link.`,
  signIn: 'Sign in',
}

/** A new password, and what is wrong with one. */
export const passwordTexts = {
  label: 'Password',
  hint: 'Use at least 12 characters. A few unrelated words work well.',
}

/** Why an account or a password cannot be saved. */
export const FAULTS_OF_ACCOUNTS = {
  password_short: ({ min }: { min: number }) => `Use at least ${min} characters.`,
  password_long: ({ max }: { max: number }) => `Use at most ${max} characters.`,
  password_common: () => 'This password is easy to guess. Use a few unrelated words instead.',
  email_taken: () => 'This address already has an account.',
  role_above: () => 'You can’t assign a role above your own.',
  owner_limited: () => 'Owners see everything. Choose another role, or remove the limits.',
  limits_beyond: () => 'Choose only places and forms that you can access.',
  limit_place_unknown: ({ place }: { place: string }) => `The place ${place} doesn’t exist.`,
  limit_form_unknown: ({ form }: { form: string }) => `The form ${form} doesn’t exist.`,
  first_account_taken: () =>
    'Someone else has already created the first account. Ask that person to invite you.',
}

/** Your own account. */
export const accountPage = {
  title: 'Your account',
  headings: { name: 'Name', signIn: 'Sign-in' },
  labels: { name: 'Your name', password: 'Password' },
  name: { hint: 'Shown in the menu and on the Team page.' },
  buttons: {
    saveName: 'Save name',
    changePassword: 'Change password',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    newCodes: 'Create new codes',
  },
  nameSaved: 'Name saved.',
  twoStep: 'Two-step sign-in',
  required: 'Required for everyone',
  codesLeft: (codes: number) => countOf(codes, CODES),
}

/** Changing your own password. */
export const passwordPage = {
  title: 'Change password',
  labels: { current: 'Current password', new: 'New password' },
  button: 'Change password',
  effect: 'Changing your password will sign out every other browser. Your passkeys will keep working.',
  done: 'Password changed. Every other browser was signed out.',
}

/** Two-step sign-in of your own account. */
export const twoStepTexts = {
  title: 'Two-step sign-in',
  heading: 'Set up two-step sign-in',
  codesHeading: 'Your recovery codes',
  required: 'Two-step sign-in is required for everyone. Set it up to continue.',
  scan: 'Scan this QR code with an authenticator app, or enter the setup key in the app.',
  qrCode: 'QR code for the setup key',
  key: 'Setup key',
  labels: { code: 'Six-digit code' },
  button: 'Turn on',
  effect: 'Turning on two-step sign-in will sign out every other browser.',
  orPasskey: 'Or add a passkey',
  wrongCode: 'This code is incorrect or expired. Check your device’s clock, then try again.',
  turnOff: {
    question: 'Turn off two-step sign-in?',
    button: 'Turn off',
    text: 'You’ll sign in with only your password. Your recovery codes will stop working, and every other browser will be signed out.',
    textWithPasskeys:
      'You’ll sign in with a passkey, or with only your password unless two-step sign-in is required. Your recovery codes will stop working, and every other browser will be signed out.',
    done: 'Two-step sign-in is off. Every other browser was signed out.',
    required: 'Two-step sign-in is required for everyone, so you can’t turn it off.',
  },
}

export const recoveryCodes = {
  title: 'Recovery codes',
  once: 'These codes are shown only once. Store them in a safe place, such as a password manager.',
  use: 'Each code lets you sign in once without your authenticator app.',
  done: 'Done',
  question: 'Create new recovery codes?',
  button: 'Create new codes',
  effect:
    'You’ll get ten new codes. Your current codes will stop working, and every other browser will be signed out.',
}

/** The browsers in which you are signed in. */
export const sessionTexts = {
  title: 'Where you’re signed in',
  columns: ['Browser', 'IP address', 'Last seen', 'Signed in', ''],
  current: '(this browser)',
  otherProgram: 'Unknown browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  buttons: { end: 'Sign out', endOthers: 'Sign out other browsers' },
  endOf: (browser: string) => `Sign out ${browser}`,
  question: 'Sign out this browser?',
  own: 'You’ll be signed out of this browser.',
  other: (browser: string, address: string) => `${browser} (IP address ${address}) will be signed out.`,
  done: 'Browser signed out.',
  others: {
    question: 'Sign out all other browsers?',
    text: 'You’ll stay signed in here, but you’ll have to sign in again in every other browser.',
    done: 'Every other browser was signed out.',
  },
}
