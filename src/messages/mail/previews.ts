import type { MailSite } from './accounts.ts'

interface Answered extends MailSite {
  name: string
  note: string | null
  /** Address of the preview links in the admin. */
  link: string
}

/** The mail to the user who made a preview link. */
export const previewAnswerMail = {
  mail: (kind: 'approved' | 'changes', { name, note, business, site, link }: Answered) => ({
    subject: kind === 'approved' ? `Preview approved (${business})` : `Changes requested (${business})`,
    text: [
      kind === 'approved'
        ? `${name} approved your preview of ${site}. You can publish these pages now.`
        : `${name} reviewed your preview of ${site} and requested changes.`,
      ...(note === null ? [] : [`Note:\n${note}`]),
      `Preview links:\n${link}\n`,
    ].join('\n\n'),
  }),
  noUser: 'The user who created this link no longer has an account.',
}
