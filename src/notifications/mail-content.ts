import type { Locale } from '../lib/locale/locale.ts'
import type { TemplateSubject } from '../templates/payload-template.ts'
import type { MailLook } from './mail-look.ts'
import type { MailRule } from './mail-rules.ts'

/** The content of a notification, with texts as the visitor wrote them. */
export interface MailContent {
  formName: string
  serviceName: string | undefined
  /** Names from the place upward: `Ennis`, `County Clare`, `Ireland`. */
  places: readonly string[]
  /** In the form's order; an answer without a field has no type. */
  answers: readonly { label: string; text: string; type: string | undefined }[]
  /** A valid address from an `email` field. */
  replyTo: string | undefined
  /** Source of the visit: `Google Ads, campaign spring-boiler, landed on /`. */
  cameFrom: string | undefined
  /** The first visit, if it was another one. */
  firstVisit?: string | undefined
  /** Paths of the pages seen before, if more than one. */
  pagesSeen?: readonly string[]
  /** The URL of the page with the form. */
  pageUrl: string | undefined
  /** Address of the lead in the admin. */
  leadUrl: string
  /** UTC text. */
  submittedAt: string
  locale: Locale
  look: MailLook
  /** Subject and text from `settings.notifications`; missing ones use the default. */
  templates: Pick<MailRule, 'subject' | 'text'>
  /** Values for their references. */
  subject: TemplateSubject
}
