/** Sending an email of a lead by hand. */
export const resendMailTexts = {
  button: 'Send again…',
  buttonOf: (to: string) => `Send again to ${to}…`,
  replyAgain: 'Send reply again…',
  replyFirst: 'Send reply…',
  reply: {
    question: 'Send the reply again?',
    first: 'Send the reply?',
    action: 'Send reply',
    text: (to: string) => `The form’s automatic reply will be sent to ${to}.`,
    twice: 'The first reply may have arrived already, so the visitor may get a second one.',
    done: (to: string) => `The reply to ${to} is on its way.`,
  },
  notification: {
    question: 'Send the email again?',
    action: 'Send email',
    text: (to: string) => `The email about this lead will be sent to ${to}.`,
    done: (to: string) => `The email to ${to} is on its way.`,
  },
  changed: 'This email has changed. Please confirm again.',
  trail: (lead: number) => `Lead ${lead}`,
  /** Without the address: activity is kept for good. */
  activity: {
    reply: (lead: number) => `Sent the reply to lead ${lead}`,
    notification: (lead: number) => `Resent an email about lead ${lead}`,
  },
}

/** Why an email of a lead can't be sent by hand. */
export const RESEND_REFUSALS = {
  spam: 'This lead is marked as spam, so its emails are not sent.',
  sent: 'This email was already sent.',
  pending: 'This email is already being sent.',
  reply_off: 'Replies are off for this form.',
  form_deleted: 'The form was deleted, so its emails are no longer sent.',
  no_address: 'This lead has no email address.',
  address_limit: 'This address has reached its reply limit. Try again later.',
  site_limit: 'This site has reached its reply limit. Try again later.',
}

export type ResendRefusal = keyof typeof RESEND_REFUSALS
