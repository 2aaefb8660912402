import { countOf } from '../plural.ts'

const SESSIONS = { one: 'open session', other: 'open sessions' }

/** The users. */
export const teamTexts = {
  title: 'Team',
  lead: 'Manage who can sign in and what they can do.',
  columns: ['User', 'Role', 'Status', 'Two-step sign-in', 'Last signed in', ''],
  you: '(you)',
  never: 'Never',
  buttons: {
    invite: 'Invite user',
    signOutEveryone: 'Sign everyone out',
    enable: 'Enable',
    disable: 'Disable',
    remove: 'Remove…',
    require: 'Require',
    makeOptional: 'Make optional',
  },
  enableUser: (email: string) => `Enable ${email}`,
  disableUser: (email: string) => `Disable ${email}`,
  removeUser: (email: string) => `Remove ${email}`,
  twoStep: 'Two-step sign-in for everyone',
  factors: { both: 'On, with passkey', passkey: 'Passkey' },
  required: 'required',
  optional: 'optional',
  lastUser: 'At least one owner must be able to sign in.',
}

/** The page of one user. */
export const userPage = {
  headings: { access: 'Access', signIn: 'Sign-in' },
  labels: {
    role: 'Role',
    places: 'Places',
    forms: 'Forms',
    account: 'Account',
    twoStep: 'Two-step sign-in',
    activity: 'Activity',
  },
  invitationExpires: 'Invitation expires',
  invitationExpired: 'Invitation expired',
  sessions: (count: number) => countOf(count, SESSIONS),
  resetTwoStep: 'Reset two-step sign-in',
  buttons: {
    access: 'Change access',
    renew: 'Renew invitation',
    reset: 'Reset',
    signOut: 'Sign out everywhere',
    changes: 'Show activity',
  },
}

/** Inviting a user. */
export const inviteTexts = {
  title: 'Invite user',
  invited: (email: string) => `You invited ${email}`,
  labels: { email: 'Email address', name: 'Name', link: 'Invitation link' },
  button: 'Invite user',
  text: (hours: number) =>
    `The new user will get a link to choose a password. The link works once and expires after ${hours} hours.`,
  sent: (email: string) => `We emailed this link to ${email}.`,
  failed: (email: string) => `The email to ${email} could not be sent. Send the link yourself.`,
  use: (hours: number) =>
    `The new user needs this link to choose a password. The link works once and expires after ${hours} hours.`,
  done: 'Done',
  renew: {
    title: (email: string) => `Invitation for ${email}`,
    heading: 'New invitation',
    question: 'Renew the invitation?',
    button: 'Renew invitation',
    text: ({ email, hours }: { email: string; hours: number }) =>
      `You’ll get a new link for ${email} that works once and expires after ${hours} hours. The previous link will stop working.`,
  },
}

/** The questions before a user is changed. */
export const userChanges = {
  remove: {
    question: (email: string) => `Remove ${email}?`,
    button: 'Remove user',
    text: 'The user will be signed out everywhere and won’t be able to sign in again. Their work and activity will be kept.',
    instead: 'To keep the account, disable it instead.',
    link: 'Disable account',
    done: (email: string) => `${email} removed.`,
  },
  enable: {
    question: (email: string) => `Enable ${email}?`,
    button: 'Enable account',
    text: 'The user will be able to sign in again with the same access.',
    done: (email: string) => `${email} enabled.`,
  },
  disable: {
    question: (email: string) => `Disable ${email}?`,
    button: 'Disable account',
    text: 'The user will be signed out everywhere and won’t be able to sign in until you enable the account.',
    done: (email: string) => `${email} disabled.`,
  },
  signOut: {
    question: 'Sign out everywhere?',
    button: 'Sign out everywhere',
    text: (email: string) =>
      `${email} will be signed out of every browser, but can sign in again right away.`,
    instead: 'To keep the user out, disable the account instead.',
    done: (email: string) => `${email} was signed out everywhere.`,
  },
  signOutEveryone: {
    question: 'Sign everyone out?',
    button: 'Sign everyone out',
    text: 'All sessions will end, except yours in this browser, and unsaved changes will be lost. Everyone can sign in again right away.',
    done: 'Everyone was signed out except you in this browser.',
  },
  resetTwoStep: {
    question: 'Reset two-step sign-in?',
    button: 'Reset two-step sign-in',
    check: (email: string) => `Make sure that ${email} asked for this: call them, or talk to them in person.`,
    text: 'Their authenticator app, recovery codes, and passkeys will stop working, and they’ll be signed out everywhere. Until they set up two-step sign-in again, they’ll sign in with only their password.',
    done: (email: string) => `${email} can now sign in with only a password.`,
  },
  requireTwoStep: {
    question: 'Require two-step sign-in for everyone?',
    button: 'Require for everyone',
    text: 'Users without two-step sign-in will have to set it up on the next page they open. They’ll need an authenticator app or a passkey.',
    lost: 'No one will be able to turn off their own two-step sign-in. If someone loses their phone, you can reset their two-step sign-in.',
    done: 'Two-step sign-in is now required for everyone.',
    ownFirst:
      'Turn on two-step sign-in for your own account, or sign in with a passkey, before you require it for everyone.',
  },
  makeTwoStepOptional: {
    question: 'Make two-step sign-in optional?',
    button: 'Make optional',
    text: 'Users will keep two-step sign-in until they turn it off.',
    done: 'Two-step sign-in is now optional.',
  },
}

/** The roles of users. */
export const roleLabels = {
  owner: 'Owner',
  manager: 'Manager',
  editor: 'Editor',
  office: 'Office',
  viewer: 'Viewer',
}

/** The purpose of each role. */
export const roleHints: Readonly<Record<keyof typeof roleLabels, string>> = {
  owner: 'Full access, including other owners and sign-in rules.',
  manager: 'Full access, except to owners and sign-in rules.',
  editor: 'Can edit pages and places, and publish the site. Can’t see leads.',
  office: 'Can view and update leads, and add notes.',
  viewer: 'Can view leads and pages, but can’t change anything.',
}

/** Choosing a role with its limits. */
export const accessTexts = {
  title: (email: string) => `Access for ${email}`,
  heading: 'Change access',
  legends: { role: 'Role', places: 'Places', forms: 'Forms' },
  hints: {
    places: 'Leads from these places and the places inside them. Leave empty for all places.',
    forms: 'Leads from these forms. To include every form, leave all boxes unchecked.',
    limited: 'Users with limits can work on leads, but can’t change the site.',
  },
  labels: { places: 'Places, one per line', forms: 'Forms' },
  placeholder: 'texas/austin',
  all: { places: 'All places', forms: 'All forms' },
  gone: 'deleted',
  effect: 'Saving will sign the user out everywhere. They can sign in again right away.',
  button: 'Save access',
  done: (email: string) => `Access for ${email} changed.`,
  describe: ({
    role,
    places,
    forms,
  }: {
    role: string
    places: readonly string[]
    forms: readonly string[]
  }) =>
    [
      role,
      ...(places.length > 0 ? [places.join(', ')] : []),
      ...(forms.length > 0 ? [forms.join(', ')] : []),
    ].join(' · '),
}

/** The page that says what a role can't do. */
export const forbiddenTexts = {
  title: 'You don’t have access',
  text: 'Your role doesn’t include this page. Ask an owner for access.',
  back: 'Go to the dashboard',
}
