import type { App } from '#src/app.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { createMailer } from '#src/server/background/mailer.ts'
import type { SubmissionStatus } from '#src/submissions/inbox/inbox-filter.ts'
import { markSpam } from '#src/submissions/inbox/mark-spam.ts'
import type { Sorting } from '#src/submissions/inbox/sort-submissions.ts'
import {
  rowsOfDelivery,
  rowsOfLead,
  type StoredForm,
  storeFormWithLeads,
} from '#tests/support/stored/leads.ts'
import { added, changed, removed, type Write } from './write.ts'

export const INBOX_WRITES: Write[] = [
  {
    route: '/admin/inbox',
    does: 'searches, so that the address has no names in it',
    unlogged: 'It leads to a list: nothing is stored.',
    arrange: async () => ({ path: '/admin/inbox', fields: { q: 'ada@example.com' }, changes: [] }),
  },
  sortingOf('read', { from: 'new', summary: '1 lead marked as read.' }),
  sortingOf('unread', { from: 'read', summary: '1 lead marked as unread.' }),
  sortingOf('archive', { from: 'read', summary: '1 lead archived.' }),
  sortingOf('restore', { from: 'archived', summary: '1 lead moved to the inbox.' }),
  sortingOf('spam', {
    from: 'new',
    summary: '1 lead marked as spam. Pending deliveries were canceled.',
    // What is pending is not sent.
    more: ({ pending, leads }) => [
      ...changed('webhook_deliveries', ...pending.map(({ id }) => id)),
      ...changed('notification_mails', leads[0].mailId),
      ...changed('reply_mails', leads[0].replyId),
    ],
  }),
  sortingOf('not_spam', {
    from: 'spam',
    summary: '1 lead marked as not spam. Delivery has started.',
    // What being spam canceled is pending again.
    more: ({ pending }) => changed('webhook_deliveries', ...pending.map(({ id }) => id)),
  }),
  {
    route: '/admin/inbox/removal',
    does: 'deletes a submission with all that belongs to it',
    async arrange({ app, name }) {
      const { leads, pending } = await storeFormWithLeads(app, name)
      const [{ id }] = leads
      return {
        ...{ path: '/admin/inbox/removal', fields: { ids: [String(id)], confirmed: 'yes' } },
        logs: { action: 'submission.deleted', subject: `submission ${id}`, summary: '1 lead deleted.' },
        changes: [...rowsOfLead(leads[0]), ...pending.flatMap(rowsOfDelivery)].map((row) => `${row} removed`),
      }
    },
  },
  {
    route: '/admin/inbox/bulk',
    does: 'archives all submissions that a filter shows',
    async arrange({ app, name }) {
      const { form, leads } = await storeFormWithLeads(app, name)
      const ids = leads.map(({ id }) => id)
      return {
        path: `/admin/inbox/bulk?form=${form.slug}`,
        fields: { action: 'archive', up_to: String(Math.max(...ids)) },
        logs: { action: 'submission.archive', subject: null, summary: `${ids.length} leads archived.` },
        changes: changed('form_submissions', ...ids),
      }
    },
  },
  {
    route: '/admin/inbox/progress',
    does: 'changes the stage of selected leads',
    async arrange({ app, name }) {
      const { leads } = await storeFormWithLeads(app, name)
      const [{ id }] = leads
      return {
        ...{ path: '/admin/inbox/progress', fields: { ids: [String(id)], progress: 'stage.quoted' } },
        logs: {
          action: 'submission.progressed',
          subject: `submission ${id}`,
          summary: '1 lead moved to Quoted.',
        },
        changes: changed('form_submissions', id),
      }
    },
  },
  {
    route: '/admin/inbox/[id]/emails/[mail]',
    does: 'sends a failed email again',
    async arrange({ app, name }) {
      const { leads } = await storeFormWithLeads(app, name)
      const [{ id, mailId }] = leads
      await app.db
        .updateTable('notification_mails')
        .set({ status: 'failed' })
        .where('id', '=', mailId)
        .execute()
      // Never started, so that the email stays pending.
      const server = { ...app.config, smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'forms@example.com' }
      app.mailWorker = createMailer(server, app)
      return {
        ...{ path: `/admin/inbox/${id}/emails/${mailId}`, fields: { before: 'unsent' } },
        logs: {
          ...{ action: 'submission.email_sent', subject: `submission ${id}` },
          summary: `Resent an email about lead ${id}`,
        },
        changes: changed('notification_mails', mailId),
        undo: async () => {
          app.mailWorker = undefined
        },
      }
    },
  },
  {
    route: '/admin/inbox/[id]/progress',
    does: 'changes the stage and the assignee',
    async arrange({ app, name, actor }) {
      const { leads } = await storeFormWithLeads(app, name)
      const [{ id }] = leads
      return {
        ...{ path: `/admin/inbox/${id}/progress`, fields: { stage: 'quoted', assignee: String(actor.id) } },
        logs: {
          action: 'submission.progressed',
          subject: `submission ${id}`,
          summary: `Set lead ${id} to Quoted and assigned it to ${actor.email}`,
        },
        changes: changed('form_submissions', id),
      }
    },
  },
  {
    route: '/admin/inbox/[id]/notes',
    does: 'adds a note',
    async arrange({ app, name }) {
      const { leads } = await storeFormWithLeads(app, name)
      const [{ id }] = leads
      return {
        ...{ path: `/admin/inbox/${id}/notes`, fields: { body: 'Call them' } },
        logs: {
          action: 'note.added',
          subject: `submission ${id}`,
          summary: `Added a note to lead ${id}`,
        },
        changes: added('submission_notes'),
      }
    },
  },
  {
    route: '/admin/inbox/[id]/notes/[note]/removal',
    does: 'removes a note',
    async arrange({ app, name }) {
      const { leads } = await storeFormWithLeads(app, name)
      const [{ id, noteIds }] = leads
      return {
        path: `/admin/inbox/${id}/notes/${noteIds[0]}/removal`,
        logs: {
          ...{ action: 'note.removed', subject: `submission ${id}` },
          summary: `Removed a note from lead ${id}`,
        },
        changes: removed('submission_notes', noteIds[0]),
      }
    },
  },
  exportAs('csv'),
  exportAs('json'),
]

function sortingOf(
  sorting: Sorting,
  {
    from,
    summary,
    more = () => [],
  }: { from: SubmissionStatus; summary: string; more?: (form: StoredForm) => string[] },
): Write {
  return {
    route: '/admin/inbox/sorting',
    does: `${sorting.replace('_', ' ')} of one submission`,
    async arrange({ app, name }) {
      const form = await storeFormWithLeads(app, name)
      const [{ id }] = form.leads
      for (const lead of form.leads) await setStatus(app, lead.id, from)
      return {
        ...{ path: '/admin/inbox/sorting', fields: { ids: [String(id)], sorting } },
        logs: { action: `submission.${sorting}`, subject: `submission ${id}`, summary },
        changes: [...changed('form_submissions', id), ...more(form)],
      }
    },
  }
}

async function setStatus({ db }: App, id: number, status: SubmissionStatus): Promise<void> {
  if (status === 'spam') await markSpam(db, id, { scope: EVERY_LEAD, now: new Date() })
  else await db.updateTable('form_submissions').set({ status }).where('id', '=', id).execute()
}

function exportAs(extension: 'csv' | 'json'): Write {
  return {
    ...{ route: `/admin/inbox/export.${extension}`, does: 'exports submissions', method: 'GET' },
    arrange: async () => ({
      path: `/admin/inbox/export.${extension}`,
      logs: {
        ...{ action: 'submission.exported', subject: null },
        summary: `Exported leads as ${extension.toUpperCase()}`,
      },
      changes: [],
    }),
  }
}
