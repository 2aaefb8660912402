import { changeFormStatus } from '#src/forms/edit-form.ts'
import { formSubject } from '#src/forms/history/record-form.ts'
import { mailsVersionOf } from '#src/forms/mails/mail-input.ts'
import { settingsVersionOf, toSettingsTexts } from '#src/forms/settings-input.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { rowsOfDelivery, rowsOfLead, storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const UNCHANGED = 'It is a look at the form: nothing is stored.'

const storeFormOf = ({ app, name }: Scene) => storeFormWithLeads(app, name)

export const FORM_WRITES: Write[] = [
  {
    route: '/admin/forms/new',
    does: 'adds a form',
    arrange: async ({ name }) => ({
      ...{ path: '/admin/forms/new', fields: { name, beginning: 'contact' } },
      logs: { action: 'form.added', subject: 'form new', summary: `Added the form ${name}` },
      changes: [
        ...added('forms'),
        ...added('form_fields', 3),
        ...added('form_versions'),
        ...added('content_versions'),
      ],
    }),
  },
  {
    route: '/admin/forms/[form]/copy',
    does: 'duplicates a form without its submissions',
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      return {
        ...{ path: `/admin/forms/${form.slug}/copy`, fields: { name: `${form.slug}-copy` } },
        logs: {
          ...{ action: 'form.added', subject: 'form new' },
          summary: `Duplicated the form ${form.name} as ${form.slug}-copy`,
        },
        changes: [
          ...added('forms'),
          ...added('form_fields', 2),
          ...added('form_versions'),
          ...added('form_webhooks', 2),
          ...added('content_versions'),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/fields/new',
    does: 'adds a field',
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      return {
        path: `/admin/forms/${form.slug}/fields/new`,
        fields: { type: 'text', label: 'Roof', name: 'roof' },
        logs: {
          ...{ action: 'form.changed', subject: `form ${form.id}` },
          summary: `Added the question Roof to the form ${form.name}`,
        },
        changes: [
          ...changed('forms', form.id),
          ...added('form_fields'),
          ...added('form_versions'),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/fields/order',
    does: 'moves a field',
    async arrange(scene) {
      const { form, fieldIds } = await storeFormOf(scene)
      return {
        ...{ path: `/admin/forms/${form.slug}/fields/order`, fields: { name: 'email', by: '1' } },
        logs: {
          ...{ action: 'form.changed', subject: `form ${form.id}` },
          summary: `Reordered the questions in the form ${form.name}`,
        },
        changes: [
          ...changed('forms', form.id),
          ...changed('form_fields', ...Object.values(fieldIds)),
          ...added('form_versions'),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/fields/[field]',
    does: 'changes a field',
    async arrange(scene) {
      const { form, fieldIds } = await storeFormOf(scene)
      return {
        path: `/admin/forms/${form.slug}/fields/email`,
        fields: { type: 'email', name: 'email', label: 'Your address' },
        logs: {
          ...{ action: 'form.changed', subject: `form ${form.id}` },
          summary: `Changed the question Your address in the form ${form.name}`,
        },
        changes: [
          ...changed('forms', form.id),
          ...changed('form_fields', fieldIds.email),
          ...added('form_versions'),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/fields/[field]/removal',
    does: 'removes a field',
    async arrange(scene) {
      const { form, fieldIds } = await storeFormOf(scene)
      return {
        path: `/admin/forms/${form.slug}/fields/photo/removal`,
        logs: {
          ...{ action: 'form.changed', subject: `form ${form.id}` },
          summary: `Removed the question Photo from the form ${form.name}`,
        },
        changes: [
          ...changed('forms', form.id),
          ...removed('form_fields', fieldIds.photo),
          ...added('form_versions'),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  ...(['new', '[entry]', '[entry]/removal', 'reply'] as const).map(
    (page): Write => ({
      route: `/admin/forms/[form]/emails/${page}`,
      does: 'changes who is told of leads, or the reply to visitors',
      async arrange(scene) {
        const { form } = await storeFormOf(scene)
        const settings = { notifications: [{ to: ['a@example.com'] }] }
        const stored = JSON.stringify(settings)
        await scene.app.db
          .updateTable('forms')
          .set({ settings_json: stored })
          .where('id', '=', form.id)
          .execute()
        const based_on = mailsVersionOf({ ...form, settings })
        const texts = { subject: 'Thanks', text: 'Thank you' }
        const fields = page === 'reply' ? { enabled: 'on', ...texts } : { to: 'b@example.com', act: 'save' }
        const change = page === 'reply' ? 'reply' : 'emails'
        return {
          path: `/admin/forms/${form.slug}/emails/${page.replace('[entry]', '0')}`,
          fields: { ...fields, based_on },
          logs: {
            ...{ action: 'form.emails_changed', subject: `form ${form.id}` },
            summary: `Changed the ${change} for the form ${form.name}`,
          },
          changes: [...changed('forms', form.id), ...added('content_versions', 2)],
        }
      },
    }),
  ),
  {
    route: '/admin/forms/[form]/preview',
    does: 'shows a field as it is typed',
    unlogged: UNCHANGED,
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      const fields = { type: 'text', name: 'email', label: 'Another' }
      return { path: `/admin/forms/${form.slug}/preview`, fields, changes: [] }
    },
  },
  {
    route: '/admin/forms/[form]/trial',
    does: 'tries the form out',
    unlogged: UNCHANGED,
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      const fields = { email: 'ada@example.com' }
      return { path: `/admin/forms/${form.slug}/trial`, fields, changes: [] }
    },
  },
  {
    route: '/admin/forms/[form]/removal',
    does: 'deletes a form with its submissions',
    async arrange(scene) {
      const { form, fieldIds, webhookIds, leads, pending, failed } = await storeFormOf(scene)
      const rows = [...leads.flatMap(rowsOfLead), ...[...pending, ...failed].flatMap(rowsOfDelivery)]
      return {
        ...{ path: `/admin/forms/${form.slug}/removal`, fields: { confirmation: form.slug } },
        logs: {
          ...{ action: 'form.deleted', subject: `form ${form.id}` },
          summary: `Deleted the form ${form.name} with 2 leads`,
        },
        changes: [
          ...removed('forms', form.id),
          ...removed('form_fields', ...Object.values(fieldIds)),
          ...removed('form_versions', `${form.id} 1`),
          ...removed('form_webhooks', ...webhookIds),
          ...added('content_trash'),
          ...rows.map((row) => `${row} removed`),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/settings',
    does: 'changes the settings',
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      const fields = { ...toSettingsTexts(form), based_on: settingsVersionOf(form), description: 'A note' }
      return {
        ...{ path: `/admin/forms/${form.slug}/settings`, fields },
        logs: {
          ...{ action: 'form.changed', subject: `form ${form.id}` },
          summary: `Changed the settings for the form ${form.name}`,
        },
        changes: [...changed('forms', form.id), ...added('content_versions', 2)],
      }
    },
  },
  ...(['draft', 'archived'] as const).map(
    (status): Write => ({
      route: '/admin/forms/[form]/status',
      does: `makes a form ${status}`,
      async arrange(scene) {
        const { form } = await storeFormOf(scene)
        return {
          ...{ path: `/admin/forms/${form.slug}/status`, fields: { status } },
          logs: {
            ...{ action: `form.${status}`, subject: `form ${form.id}` },
            summary: `Changed the status of the form ${form.name} to ${status}`,
          },
          changes: [...changed('forms', form.id), ...added('content_versions', 2)],
        }
      },
    }),
  ),
  {
    route: '/admin/forms/[form]/versions/[version]',
    does: 'restores a version of a form',
    async arrange(scene) {
      const { form } = await storeFormOf(scene)
      const { db } = scene.app
      const editing = { updatedBy: scene.actor.id, now: new Date() }
      await changeFormStatus(db, form.slug, 'archived', editing)
      const [, first] = await listVersions(db, formSubject(form.id), { limit: 2 })
      return {
        path: `/admin/forms/${form.slug}/versions/${first?.id}`,
        logs: {
          ...{ action: 'form.restored', subject: `form ${form.id}` },
          summary: `Restored a version of the form ${form.name}`,
        },
        changes: [...changed('forms', form.id), ...added('content_versions')],
      }
    },
  },
]
