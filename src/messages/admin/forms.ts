/** Why a form cannot have an address. */
export const FAULTS_OF_FORMS = {
  taken: () => 'Another form already has this address. Choose a different one.',
  no_slug: () =>
    'Use lower-case letters and digits, with single hyphens between them, at most 80 characters.',
  unconfirmed: ({ slug }: { slug: string }) => `Type ${slug} to delete it.`,
  builtin: () => 'This form is built in, so its address can’t change.',
}

/** Why a form's notifications are not sent. */
export const mailNotConfigured = 'Notifications are not sent: set SMTP_URL and MAIL_FROM'

/** The label of a question in the preview, until it has one. */
export const newQuestion = 'Your question'
