/** Signing in and confirming with a passkey. */
export const passkeySignIn = {
  title: 'Use a passkey',
  hint: 'Your device will ask for your fingerprint, face, or PIN.',
  required: 'Two-step sign-in is required, so sign in with your passkey.',
  button: 'Sign in with a passkey',
  confirmButton: 'Confirm with a passkey',
  instead: 'Use a passkey instead',
  password: 'Sign in with a password',
  wrong: 'This passkey was not accepted. Try again, or sign in with your password.',
  confirmWrong: 'This passkey was not accepted. Try again, or confirm your password.',
  unsupported: 'This browser can’t use passkeys here. Try another browser, or turn on JavaScript.',
  canceled: 'No passkey was used. Try again when you’re ready.',
  unavailable: 'Passkeys aren’t working right now. Try again in a few minutes.',
}

/** Passkeys of your own account. */
export const passkeyTexts = {
  title: 'Passkeys',
  lead: 'Sign in with your fingerprint, face, or PIN instead of a password and code.',
  columns: ['Name', 'Created', 'Last used', ''],
  empty: 'No passkeys yet. Add one on each device that you use.',
  never: 'Never',
  elsewhere: (host: string) => `Works only at ${host}`,
  openAt: (address: string) => `To add a passkey, open ${address}.`,
  needsHttps: 'Passkeys require HTTPS.',
  buttons: { add: 'Add a passkey', remove: 'Remove', create: 'Create passkey' },
  removeNamed: (name: string) => `Remove the passkey ${name}`,
  add: {
    title: 'Add a passkey',
    label: 'Name',
    nameMissing: 'Enter a name, such as My laptop.',
    help: 'A name to tell your passkeys apart, such as My laptop.',
    effect: 'Adding a passkey will sign out every other browser.',
    registered: 'This device already has a passkey for your account.',
    canceled: 'No passkey was created. Try again when you’re ready.',
    refused: 'The passkey was not accepted. Try again.',
    tooMany: (most: number) => `You’ve reached the limit of ${most} passkeys. Remove one first.`,
    done: (name: string) => `Passkey ${name} added. Every other browser was signed out.`,
  },
  removal: {
    question: (name: string) => `Remove the passkey ${name}?`,
    button: 'Remove passkey',
    text: 'You’ll no longer be able to sign in with this passkey, and every other browser will be signed out. Delete the passkey on your device, too.',
    done: (name: string) => `Passkey ${name} removed. Every other browser was signed out.`,
    lastFactor:
      'Two-step sign-in is required for everyone. Add another passkey or an authenticator app before you remove this passkey.',
  },
}
