// Imports nothing: what another script also imports becomes its own file, and a form's `embed.js` is one file.

/** The heading after a form was sent, where the form has none of its own. */
export const successHeading = 'Thank you'

/** Texts of every form beside its own. */
export const formTexts = {
  send: 'Send',
  choose: 'Choose an option',
  decoyLabel: 'Leave this field empty',
  chooseFileAgain: (name: string) => `Please choose ${name} again. Your browser doesn’t keep selected files.`,
}

/** The label of a question that may stay empty. */
export function optionalLabel(label: string): string {
  return `${label} (optional)`
}

/** Returns the heading above the errors in a form. */
export function mistakesHeading(count: number): string {
  return `Please check ${count === 1 ? 'one answer' : `${count} answers`}`
}

/** Texts that a form's script shows while it sends. */
export const sendingTexts = {
  sending: 'Sending…',
  upload: 'Upload',
  connectionLost: 'The connection was lost.',
  serverUnavailable: 'We can’t save your answers right now.',
  tryAgain: (time: string) => `Please try again in ${time}.`,
  retrying: (trouble: string, time: string) =>
    `${trouble} Your answers are still here. Trying again in ${time}.`,
  givenUp: (trouble: string) =>
    `${trouble} Your answers are still here. Please send them again in a few minutes.`,
  failed: 'Something went wrong on our end.',
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
}
