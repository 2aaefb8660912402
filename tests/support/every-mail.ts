import type { Kysely } from 'kysely'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import type { Schema } from '#src/db/schema.ts'
import { accountChangeMail, invitationMail, passwordResetMail } from '#src/messages/mail/accounts.ts'
import { previewAnswerMail } from '#src/messages/mail/previews.ts'
import { composeMail } from '#src/notifications/compose-mail.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'
import { composeReply } from '#src/notifications/replies/compose-reply.ts'
import { accountMailHtml } from '#src/server/accounts/account-mail.ts'
import { composeReport } from '#src/server/monthly-reports/compose-report.ts'
import { storeForm } from './forms.ts'
import { aMailLook } from './mail-look.ts'
import { addPlaces } from './small-site.ts'

export const HOSTILE = '<img src=x onerror=alert(1)><b>bold</b>'
const LONG_URL = `https://www.example.com/${'a-very-long-address-'.repeat(20)}`
const LINK = 'https://www.example.com/admin/invitation/abc'
const HEBREW = { country: 'IL', language: 'he', timeZone: 'Asia/Jerusalem' }

const FILLED_FROM = {
  answers: { full_name: 'Aoife Ní Bhriain' },
  meta: { location_name: 'Ennis' },
  choices: new Map(),
}

/** An email about a lead that has everything. */
export const LEAD_CONTENT: MailContent = {
  formName: 'Ask for a quote',
  serviceName: 'Boiler service',
  places: ['Ennis', 'County Clare'],
  answers: [
    { label: 'Name', text: 'Aoife Ní Bhriain', type: 'text' },
    { label: 'Message', text: `The boiler is cold.\n${HOSTILE}`, type: 'textarea' },
    { label: 'Email', text: 'aoife@example.com', type: 'email' },
    { label: 'Phone', text: '087 123 4567', type: 'phone' },
  ],
  replyTo: 'aoife@example.com',
  cameFrom: 'Google Ads, campaign spring-boiler, landed on /',
  pageUrl: LONG_URL,
  leadUrl: 'https://www.example.com/admin/inbox/7',
  submittedAt: '2026-07-20T14:02:01.308Z',
  locale: { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' },
  look: aMailLook(),
  templates: {},
  subject: FILLED_FROM,
}

const REPLY = {
  subject: 'Thank you',
  text: `Hello {{full_name}}\n\nWe call you back.\nUntil then: ${LONG_URL}`,
  replyTo: undefined,
  look: aMailLook(),
  language: 'en-IE',
  filledFrom: FILLED_FROM,
}

interface Mail {
  html: string
  text: string
}

/** Returns each email that the program sends, by name. */
export async function everyMail(db: Kysely<Schema>): Promise<Record<string, Mail>> {
  return {
    lead: composeMail(LEAD_CONTENT),
    leadInHebrew: composeMail({ ...LEAD_CONTENT, locale: HEBREW }),
    leadFromTemplate: composeMail({ ...LEAD_CONTENT, templates: { text: 'A lead\n\n{{full_name}}' } }),
    reply: composeReply(REPLY),
    replyInHebrew: composeReply({ ...REPLY, language: 'he' }),
    replyWithLogo: composeReply({ ...REPLY, look: aMailLook({ icon: `${LONG_URL}.png`, phone: null }) }),
    report: await aReport(db),
    ...accountMails(),
  }
}

async function aReport(db: Kysely<Schema>): Promise<Mail> {
  const place = (await addPlaces(db, 'ennis')).get('ennis') as number
  const { id: form_id } = await storeForm(db, 'quote')
  const lead = { form_id, data_json: '{}', location_id: place, location_path: 'x', page_path: '/services' }
  await db
    .insertInto('form_submissions')
    .values({ ...lead, submitted_at: '2025-10-20T10:00:00.000Z' })
    .execute()
  const now = new Date('2025-10-25T00:00:00Z')
  const options = { period: '2025-10', adminUrl: 'https://www.example.com', now }
  return composeReport(db, { limits: NO_LIMITS }, options)
}

function accountMails(): Record<string, Mail> {
  const site = { business: 'Lone Star', site: 'Lone Star (www.example.com)' }
  const change = (kind: Parameters<typeof accountChangeMail>[0]) =>
    withHtml(accountChangeMail(kind, { by: 'Laptop', ...site }))
  const answer = (kind: 'approved' | 'changes', note: string | null) =>
    withHtml(previewAnswerMail.mail(kind, { name: 'Bob', note, link: LINK, ...site }))
  const changes: Record<Parameters<typeof accountChangeMail>[0], Mail> = {
    two_factors_reset: change('two_factors_reset'),
    password_set: change('password_set'),
    password_reset: change('password_reset'),
    passkey_added: change('passkey_added'),
    passkey_removed: change('passkey_removed'),
  }
  return {
    invitation: withHtml(invitationMail({ by: 'ann@example.com', ...site, link: LINK, hours: 72 })),
    passwordReset: withHtml(passwordResetMail({ ...site, link: LINK, minutes: 60 })),
    ...changes,
    previewApproved: answer('approved', null),
    previewChanges: answer('changes', `Please say more.\n${HOSTILE}`),
  }
}

function withHtml(mail: Parameters<typeof accountMailHtml>[0]): Mail {
  return { html: accountMailHtml(mail), text: mail.text }
}
