/** A server without `SMTP_URL`, and the effect on each screen. */
export const mailMissing = {
  text: (effect: string) => `This server can’t send email. ${effect}`,
  setup: 'Set SMTP_URL and MAIL_FROM on the server. See “Email” in docs/deploying.md.',
  effects: {
    dashboard: 'New leads and monthly reports are not emailed, and visitors get no replies.',
    form: 'No one gets emails about new leads from this form, and visitors get no replies.',
    team: 'Send invitation links yourself. Reset forgotten passwords on the server with npm run admin:create.',
    invite: 'The next page will show the invitation link. Send the link yourself.',
    invited: (email: string) => `Send the link to ${email} yourself. The link is shown only once.`,
    twoStepReset: (email: string) => `Tell ${email} yourself that two-step sign-in was reset.`,
    account: 'You won’t get an email when your sign-in settings change.',
    accountWithReports: 'You won’t get monthly reports, or an email when your sign-in settings change.',
    results: 'Monthly reports will not be sent.',
    sending: 'Nothing was sent.',
    previews:
      'You won’t get an email when someone approves a preview or requests changes. Check this page instead.',
  },
}
