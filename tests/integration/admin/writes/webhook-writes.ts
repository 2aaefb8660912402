import { pauseWebhook } from '#src/webhooks/definition/pause-webhook.ts'
import { type StoredForm, storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const STORED = {
  name: 'Office',
  url: 'https://hooks.example.com/secret-path',
  method: 'POST',
  max_retries: '0',
}

async function storeWebhooks({ app, name }: Scene) {
  const stored = await storeFormWithLeads(app, name)
  const { form, webhookIds } = stored
  return { ...stored, id: webhookIds[0], path: `/admin/forms/${form.slug}/webhooks/${webhookIds[0]}` }
}

const pendingOf = ({ pending }: StoredForm, webhookId: number) =>
  pending.filter((delivery) => delivery.webhookId === webhookId).map(({ id }) => id)

export const WEBHOOK_WRITES: Write[] = [
  {
    route: '/admin/forms/[form]/webhooks/new',
    does: 'adds a webhook',
    async arrange(scene) {
      const { form } = await storeWebhooks(scene)
      return {
        path: `/admin/forms/${form.slug}/webhooks/new`,
        fields: { ...STORED, enabled: 'on', headers: 'authorization: Bearer secret-header' },
        logs: {
          ...{ action: 'webhook.added', subject: 'webhook new' },
          summary: `Added the webhook “Office” to the form ${form.slug}`,
        },
        changes: added('form_webhooks'),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/new',
    does: 'previews a webhook',
    unlogged: 'Nothing is stored.',
    async arrange(scene) {
      const { form } = await storeWebhooks(scene)
      const fields = { ...STORED, enabled: 'on', act: 'preview' }
      return { path: `/admin/forms/${form.slug}/webhooks/new`, fields, changes: [] }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]',
    does: 'changes a webhook',
    async arrange(scene) {
      const { form, id, path } = await storeWebhooks(scene)
      return {
        ...{ path, fields: { ...STORED, name: 'Sales', enabled: 'on', headers: 'authorization: ••••' } },
        logs: {
          ...{ action: 'webhook.changed', subject: `webhook ${id}` },
          summary: `Changed the webhook “Sales” in the form ${form.slug}`,
        },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]',
    does: 'sends a webhook elsewhere and names the origins alone',
    async arrange(scene) {
      const { form, id, path } = await storeWebhooks(scene)
      return {
        ...{ path, fields: { ...STORED, url: 'https://other.example.com/new-secret?key=1', enabled: 'on' } },
        logs: {
          ...{ action: 'webhook.changed', subject: `webhook ${id}` },
          summary: `Changed the webhook “Office” in the form ${form.slug}: destination changed from https://hooks.example.com to https://other.example.com`,
        },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]',
    does: 'switches a webhook off and cancels its pending deliveries',
    async arrange(scene) {
      const stored = await storeWebhooks(scene)
      const { form, id, path } = stored
      return {
        ...{ path, fields: { ...STORED, headers: 'authorization: ••••' } },
        logs: {
          ...{ action: 'webhook.changed', subject: `webhook ${id}` },
          summary: `Changed the webhook “Office” in the form ${form.slug}`,
        },
        changes: [
          ...changed('form_webhooks', id),
          ...changed('webhook_deliveries', ...pendingOf(stored, id)),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/pause',
    does: 'pauses a webhook',
    async arrange(scene) {
      const { id, path } = await storeWebhooks(scene)
      return {
        ...{ path: `${path}/pause`, fields: { paused: 'yes' } },
        logs: { action: 'webhook.paused', subject: `webhook ${id}`, summary: 'Paused the webhook “Office”' },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/pause',
    does: 'resumes a webhook',
    async arrange(scene) {
      const { id, path, webhookIds } = await storeWebhooks(scene)
      for (const paused of webhookIds) await pauseWebhook(scene.app.db, paused, { now: new Date() })
      return {
        ...{ path: `${path}/pause`, fields: { paused: 'no' } },
        logs: {
          action: 'webhook.resumed',
          subject: `webhook ${id}`,
          summary: 'Resumed the webhook “Office”',
        },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/removal',
    does: 'deletes a webhook, whose deliveries stay',
    async arrange(scene) {
      const { form, id, path, pending, failed } = await storeWebhooks(scene)
      const deliveries = [...pending, ...failed].filter(({ webhookId }) => webhookId === id)
      return {
        path: `${path}/removal`,
        logs: {
          ...{ action: 'webhook.deleted', subject: `webhook ${id}` },
          summary: `Deleted the webhook “Office” from the form ${form.slug}`,
        },
        changes: [
          ...removed('form_webhooks', id),
          ...changed('webhook_deliveries', ...deliveries.map((delivery) => delivery.id)),
        ],
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/replay',
    does: 'sends what a webhook lost again',
    async arrange(scene) {
      const { id, path } = await storeWebhooks(scene)
      const fields = { from: '2026-11-01T00:00', until: '', status: 'lost', mode: 'same_bytes' }
      return {
        ...{ path: `${path}/replay`, fields },
        logs: {
          ...{ action: 'webhook.replayed', subject: `webhook ${id}` },
          summary: 'Resent 1 delivery for the webhook “Office”',
        },
        changes: [...added('webhook_deliveries'), ...added('delivery_bodies')],
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/secret',
    does: 'replaces the signing secret',
    async arrange(scene) {
      const { id, path } = await storeWebhooks(scene)
      return {
        path: `${path}/secret`,
        logs: {
          ...{ action: 'webhook.secret', subject: `webhook ${id}` },
          summary: 'Replaced the signing secret for the webhook “Office”',
        },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/secret',
    does: 'generates the first signing secret',
    async arrange(scene) {
      const { id, path, webhookIds } = await storeWebhooks(scene)
      const none = { signing_secret: null, previous_secrets_json: null }
      await scene.app.db.updateTable('form_webhooks').set(none).where('id', 'in', webhookIds).execute()
      return {
        path: `${path}/secret`,
        logs: {
          ...{ action: 'webhook.secret', subject: `webhook ${id}` },
          summary: 'Generated the signing secret for the webhook “Office”',
        },
        changes: changed('form_webhooks', id),
      }
    },
  },
  {
    route: '/admin/forms/[form]/webhooks/[id]/test',
    does: 'sends a test',
    async arrange(scene) {
      const { id, path } = await storeWebhooks(scene)
      return {
        path: `${path}/test`,
        logs: {
          ...{ action: 'webhook.tested', subject: `webhook ${id}` },
          summary: 'Sent a test to the webhook “Office”',
        },
        changes: [...added('webhook_deliveries'), ...added('delivery_bodies')],
      }
    },
  },
]
