/** The list of changes. */
export const activityTexts = {
  title: 'Activity',
  lead: 'Who changed what, and when. No one can edit this list.',
  labels: { user: 'Changes by' },
  everyone: 'Everyone',
  button: 'Show',
  caption: 'Changes, newest first',
  columns: ['Change', 'User', 'Time', 'IP address'],
  empty: 'No changes yet.',
  emptyOfUser: 'This user has made no changes yet.',
  newest: 'Newest',
}

/** What the activity says about accounts and sign-ins. */
export const accountActivity = {
  firstAccount: 'Created the first account',
  signedIn: 'Signed in',
  signedOut: 'Signed out',
  sessionEnded: 'Signed out a browser',
  sessionsEnded: 'Signed out all other browsers',
  everyoneSignedOut: 'Signed everyone out',
  userSignedOut: (email: string) => `Signed ${email} out everywhere`,
  renamed: 'Changed their name',
  passwordChanged: 'Changed their password',
  codesRenewed: 'Created new recovery codes',
  twoStepOn: 'Turned on two-step sign-in',
  twoStepOff: 'Turned off two-step sign-in',
  twoStepReset: (email: string) => `Reset two-step sign-in of ${email}`,
  twoStepRequired: 'Required two-step sign-in for everyone',
  twoStepOptional: 'Made two-step sign-in optional',
  invited: (email: string) => `Invited ${email}`,
  invitationRenewed: (email: string) => `Renewed the invitation of ${email}`,
  invitationAccepted: 'Accepted the invitation',
  removed: (email: string) => `Removed the user ${email}`,
  enabled: (email: string) => `Enabled the user ${email}`,
  disabled: (email: string) => `Disabled the user ${email}`,
  commandLine: {
    created: 'Created an account on the command line',
    passwordSet: 'Set a new password on the command line',
    twoStepReset: 'Reset two-step sign-in on the command line',
    address: 'this machine',
  },
}
