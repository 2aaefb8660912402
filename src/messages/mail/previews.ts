interface Answered {
  name: string
  note: string | null
  host: string
  /** Address of the preview links in the admin. */
  link: string
}

/** The mail to the user who made a preview link. */
export const previewAnswerMail = {
  mail: (kind: 'approved' | 'changes', { name, note, host, link }: Answered) => ({
    subject: kind === 'approved' ? `Preview approved (${host})` : `Changes requested (${host})`,
    text: [
      kind === 'approved'
        ? `${name} approved your preview of ${host}. You can publish these pages now.`
        : `${name} looked at your preview of ${host} and requested changes.`,
      ...(note === null ? [] : [`Note:\n${note}`]),
      `Preview links:\n${link}\n`,
    ].join('\n\n'),
  }),
  noUser: 'The user who made this link no longer has an account.',
}
