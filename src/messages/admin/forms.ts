import { createMessages, type MessageOf } from '../../lib/messages.ts'

const SLUG_PROBLEMS = {
  taken: () => 'Another form already has this address. Choose a different one.',
  no_slug: () =>
    'Use lower-case letters and digits, with single hyphens between them, at most 80 characters.',
  builtin: () => 'This form is built in, so its address can’t change.',
}

/** Why a form cannot have an address. */
export type SlugProblem = MessageOf<typeof SLUG_PROBLEMS>

/** The sentence of a problem. */
export const describeSlugProblem = createMessages(SLUG_PROBLEMS)

/** Why a form's notifications are not sent. */
export const mailNotConfigured = 'Notifications are not sent: set SMTP_URL and MAIL_FROM'

/** The label of a question in the preview, until it has one. */
export const newQuestion = 'Your question'
