import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry, stampOf } from '#src/entries/editing/save-entry.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { createForm, editForm } from '#src/forms/edit-form.ts'
import { putField } from '#src/forms/fields/edit-fields.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import {
  findEditedSettings,
  saveEditedSettings,
  saveSettingsDraft,
} from '#src/site/settings/settings-draft.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { changeContent } from '#src/versions/content-turn-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { changeWebhook, webhookVersion } from '#src/webhooks/definition/edit-webhook.ts'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { disableWebhook } from '#src/webhooks/definition/webhook-health-store.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { openSecrets } from '#src/webhooks/secrets/signing-secrets.ts'
import type { TestEngine } from '../../support/database.ts'
import { aFormFile, storeForm } from '../../support/forms.ts'
import { waitFor } from '../../support/running-site.ts'
import { openWorld } from '../entries/entry-world.ts'
import { haveWebhooks, secretBox } from '../webhooks/webhook-world.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

const SAVING = { now: new Date('2026-11-21T10:00:00.000Z') }

/** What several people do to forms, webhooks, entries, and settings at the same moment. */
export function testEditingAtOnce(engine: TestEngine) {
  async function anEditor() {
    const db = await engine.openMigrated()
    const account = db.insertInto('admin_users').values({ email: 'ann@example.com' }).returning('id')
    return { db, editing: { updatedBy: (await account.executeTakeFirstOrThrow()).id, now: new Date() } }
  }

  test(`${engine.name}: concurrently added fields are all kept`, async () => {
    const { db, editing } = await anEditor()
    await storeForm(db, 'quote', { fields: [] })
    const add = (name: string) => editForm(db, 'quote', putField({ name, label: name }), editing)
    const outcomes = await Promise.all(NAMES.map(add))
    const fields = outcomes.map((outcome) => outcome.kind === 'saved' && outcome.value.fields.length)
    assert.deepEqual(fields.sort(), [1, 2, 3, 4, 5, 6])
  })

  test(`${engine.name}: of concurrent claims to a slug one succeeds`, async () => {
    const { db, editing } = await anEditor()
    const make = (name: string) => createForm(db, 'quote', aFormFile({ name }), editing)
    const kinds = (await Promise.all(NAMES.map(make))).map((outcome) =>
      outcome.kind === 'invalid' ? outcome.problems[0]?.code : outcome.kind,
    )
    assert.deepEqual(kinds.sort(), ['saved', 'taken', 'taken', 'taken', 'taken', 'taken'])
    await Promise.all(NAMES.map((slug) => storeForm(db, slug)))
    const rename = (slug: string) =>
      db.transaction().execute((trx) => renameForm(trx, slug, 'offer', { now: '2026-11-21T10:00:00.000Z' }))
    const renamed = await Promise.all(NAMES.map(rename))
    assert.deepEqual(renamed.sort(), ['renamed', 'taken', 'taken', 'taken', 'taken', 'taken'])
  })

  // What several people see at the same time, one of them saves.
  const onlyOneSaved = ['outdated', 'outdated', 'outdated', 'outdated', 'outdated', 'saved']
  const kindsOf = async (saves: Promise<{ kind: string }>[]) =>
    (await Promise.all(saves)).map(({ kind }) => kind).sort()

  test(`${engine.name}: of entries saved at the same time from one page, one is saved`, async () => {
    const { db, saved, type, entry } = await openWorld(engine)
    const id = await saved('pages', { slug: 'about', title: 'About' })
    const basedOn = stampOf(await entry(id), {})
    const pages = await type('pages')
    const inputOf = (title: string) => ({ ...emptyEntryInput({}), slug: 'about', title, basedOn })
    const save = (title: string) => saveEntry(db, { type: pages, id, input: inputOf(title) }, SAVING)
    const draft = (title: string) => saveDraft(db, { type: pages, id, input: inputOf(title) }, SAVING)
    assert.deepEqual(
      await kindsOf(NAMES.map((name, index) => (index % 2 ? save : draft)(name))),
      onlyOneSaved,
    )
  })

  test(`${engine.name}: of settings saved at the same time from one page, one is saved`, async () => {
    const { db } = await anEditor()
    const basedOn = (await findEditedSettings(db)).stamp
    const save = (tagline: string) =>
      saveEditedSettings(db, { changes: { tagline }, basedOn, mayChangeTags: true }, SAVING)
    assert.deepEqual(await kindsOf(NAMES.map(save)), onlyOneSaved)
  })

  test(`${engine.name}: of drafts of the settings saved at the same time from one page, one is saved`, async () => {
    const { db } = await anEditor()
    const basedOn = (await findEditedSettings(db)).stamp
    const save = (tagline: string) => saveSettingsDraft(db, { changes: { tagline }, basedOn }, SAVING)
    assert.deepEqual(await kindsOf(NAMES.map(save)), onlyOneSaved)
    const versions = await listVersions(db, SETTINGS_SUBJECT, { limit: 20 })
    assert.equal(versions.filter(({ state }) => state === 'draft').length, 1)
  })

  test(`${engine.name}: settings saved at the same time without a page are all kept`, async () => {
    const { db } = await anEditor()
    const changes = [
      { tagline: 'Cool' },
      { name: 'Ours' },
      { address: 'Main St 1' },
      { email: 'a@example.com' },
    ]
    await Promise.all(changes.map((one) => changeSiteSettings(db, { changes: one }, SAVING)))
    const { tagline, name, address, email } = await findSiteSettings(db)
    assert.deepEqual([tagline, name, address, email], ['Cool', 'Ours', 'Main St 1', 'a@example.com'])
  })

  const URL = 'https://crm.example.com'
  async function aWebhook() {
    const db = await engine.openMigrated()
    const [webhook] = await haveWebhooks(db, { url: URL, signing_secret: 'the former secret' })
    assert.ok(webhook)
    const change = (name: string, basedOn?: string) => {
      const definition = webhookDefinition.parse({ name, url: URL })
      return changeWebhook(db, webhook.id, { definition, basedOn }, { ...SAVING, secretBox })
    }
    return { db, webhook, change }
  }

  test(`${engine.name}: of webhooks saved at the same time from one page, one is saved`, async () => {
    const { webhook, change } = await aWebhook()
    const basedOn = webhookVersion(webhook)
    assert.deepEqual(await kindsOf(NAMES.map((name) => change(name, basedOn))), onlyOneSaved)
  })

  async function waitForLocks(db: Kysely<Schema>, count: number) {
    await waitFor(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length === count
    })
  }

  test(`${engine.name}: a secret replaced just before someone saves the webhook stays the newest`, async () => {
    const { db, webhook, change } = await aWebhook()
    const working: Promise<unknown>[] = []
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('form_webhooks').select('id').where('id', '=', webhook.id).forUpdate().execute()
      working.push(rotateSigningSecret(db, webhook.id, { ...SAVING, secretBox, secret: 'the new secret' }))
      await waitForLocks(db, 1)
      working.push(change('a'))
      await waitForLocks(db, 2)
    })
    await Promise.all(working)
    const stored = await findWebhook(db, webhook.id)
    assert.ok(stored)
    assert.deepEqual(openSecrets(stored, { ...SAVING, secretBox }), ['the new secret', 'the former secret'])
  })

  // Begins a save while a server turns the webhook off.
  async function saveWhileTurnedOff<T>(db: Kysely<Schema>, id: number, save: () => Promise<T>) {
    let saving: Promise<T> | undefined
    await db.transaction().execute(async (trx) => {
      await disableWebhook(trx, id, { reason: { code: 'gone' }, now: SAVING.now })
      saving = save()
      await waitForLocks(db, 1)
    })
    return saving
  }

  test(`${engine.name}: a save doesn’t turn on a webhook that was turned off at that moment`, async () => {
    const { db, webhook, change } = await aWebhook()
    const outcome = await saveWhileTurnedOff(db, webhook.id, () => change('a', webhookVersion(webhook)))
    assert.equal(outcome?.kind, 'outdated')
    assert.equal((await findWebhook(db, webhook.id))?.enabled, false)
  })

  test(`${engine.name}: a form’s file doesn’t turn on a webhook that was turned off at that moment`, async () => {
    const { db, webhook } = await aWebhook()
    const { name, url, formId } = webhook
    const file = webhookDefinition.parse({ name, url })
    await saveWhileTurnedOff(db, webhook.id, () =>
      changeContent(db, (trx) => saveWebhooks(trx, formId, [file], { secretBox })),
    )
    assert.equal((await findWebhook(db, webhook.id))?.enabled, false)
  })
}
