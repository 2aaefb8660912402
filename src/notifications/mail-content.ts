import type { Locale } from '../lib/locale/locale.ts'
import type { TemplateSubject } from '../templates/payload-template.ts'
import type { MailRule } from './mail-rules.ts'

/** The content of a notification; texts are as the visitor wrote them. */
export interface MailContent {
  formName: string
  serviceName: string | undefined
  /** Names from the place up: `Ennis`, `County Clare`, `Ireland`. */
  places: readonly string[]
  /** In the form's order; an answer to no field of the form has no type. */
  answers: readonly { label: string; text: string; type: string | undefined }[]
  /** An address that passed the check of an `email` field. */
  replyTo: string | undefined
  /** The URL of the page with the form. */
  pageUrl: string | undefined
  /** Address of the lead in the admin. */
  leadUrl: string
  /** UTC text. */
  submittedAt: string
  locale: Locale
  /** Subject and text from `settings.notifications`; the default applies where one is missing. */
  templates: Pick<MailRule, 'subject' | 'text'>
  /** Values of the references in these. */
  subject: TemplateSubject
}
