import type { App } from '../../app.ts'

const WAKE = {
  /** Posts are checked against the current form. */
  forms: ({ desk }: App) => desk.invalidate(),
  deliveries: ({ dispatcher }: App) => dispatcher.wake(),
  mails: ({ mailWorker }: App) => mailWorker?.wake(),
  search: ({ searchIndex }: App) => searchIndex.wake(),
  /** The public site shows it after the next publish. */
  site: async ({ publishing, siteLocale }: App) => {
    publishing.planner.noteChange()
    await siteLocale.refresh()
  },
}

type Woken = keyof typeof WAKE

/** Every change that an administrator can make, by its action in the audit log, with the workers it wakes. */
const CHANGES = {
  'content.settled': ['site'],
  'content_type.added': ['site'],
  'content_type.changed': ['site'],
  'content_type.deleted': ['site'],
  'delivery.cancelled': [],
  'delivery.replayed': ['deliveries'],
  'entries.draft': ['site'],
  'entries.ordered': ['site'],
  'entries.published': ['site'],
  'entry.added': ['site'],
  'entry.changed': ['site'],
  'entry.deleted': ['site'],
  'entry.draft_discarded': [],
  'entry.draft_saved': [],
  'entry.draft_used': ['site'],
  'entry.reset': ['site'],
  'entry.restored': ['site'],
  'entry.undeleted': ['site'],
  'filter.added': [],
  'filter.changed': [],
  'filter.deleted': [],
  'form.active': ['forms', 'site'],
  'form.added': ['forms', 'site'],
  'form.archived': ['forms', 'site'],
  'form.changed': ['forms', 'site'],
  'form.deleted': ['forms', 'site'],
  'form.draft': ['forms', 'site'],
  'form.email_tested': [],
  /** Changes who gets emails, or the reply; no page shows them. */
  'form.emails_changed': ['forms'],
  'form.restored': ['forms', 'site'],
  'form.undeleted': ['forms', 'site'],
  'note.added': ['search'],
  'note.removed': ['search'],
  'offers.changed': ['site'],
  'picture.added': ['site'],
  'picture.changed': ['site'],
  'picture.deleted': ['site'],
  'picture.replaced': ['site'],
  'picture.undeleted': ['site'],
  'preview.ended': [],
  'preview.made': [],
  'preview.published': [],
  'privacy.exported': [],
  'report.sent': [],
  'session.ended': [],
  'settings.changed': ['site'],
  'settings.draft_discarded': [],
  'settings.draft_saved': [],
  'settings.draft_used': ['site'],
  'settings.restored': ['site'],
  'site.published': [],
  'site.rolled_back': [],
  'submission.archive': [],
  'submission.deleted': [],
  'submission.email_sent': ['mails'],
  'submission.exported': [],
  'submission.file_downloaded': [],
  'submission.opened': [],
  'submission.not_spam': ['deliveries', 'mails'],
  'submission.progressed': [],
  'submission.read': [],
  'submission.restore': [],
  'submission.spam': [],
  'submission.unread': [],
  'taxonomy.added': ['site'],
  'taxonomy.changed': ['site'],
  'taxonomy.deleted': ['site'],
  'term.changed': ['site'],
  'term.deleted': ['site'],
  'term.moved': ['site'],
  'term.restored': ['site'],
  'term.undeleted': ['site'],
  'terms.added': ['site'],
  'user.access_changed': [],
  'user.invitation_renewed': [],
  'user.invited': [],
  'user.passkey_added': [],
  'user.passkey_removed': [],
  'user.password_changed': [],
  'user.recovery_codes_renewed': [],
  'user.removed': [],
  'user.renamed': [],
  'user.report_chosen': [],
  'user.signed_out': [],
  'user.switched_off': [],
  'user.switched_on': [],
  'user.two_factors_off': [],
  'user.two_factors_on': [],
  'user.two_factors_reset': [],
  'users.signed_out': [],
  'users.two_factors_optional': [],
  'users.two_factors_required': [],
  'webhook.added': ['forms', 'deliveries'],
  'webhook.changed': ['forms', 'deliveries'],
  'webhook.deleted': ['forms'],
  'webhook.paused': ['deliveries'],
  'webhook.replayed': ['deliveries'],
  'webhook.resumed': ['deliveries'],
  'webhook.secret': [],
  'webhook.tested': ['deliveries'],
} as const satisfies Record<string, readonly Woken[]>

export type ChangeAction = keyof typeof CHANGES

// Subject types for actions that are not named after one.
const SUBJECTS: Readonly<Record<string, string>> = {
  content: 'content_file',
  entries: 'content_type',
  note: 'submission',
  offers: 'term',
  site: 'release',
  terms: 'taxonomy',
}

/** Returns the subject of an action: `user` for `user.removed`. */
export function subjectOf(action: ChangeAction): string {
  const [noun = ''] = action.split('.')
  return SUBJECTS[noun] ?? noun
}

/** Wakes the workers affected by a change; call it after the change is stored. */
export async function wakeAfter(app: App, action: ChangeAction): Promise<void> {
  for (const woken of CHANGES[action]) await WAKE[woken](app)
}
