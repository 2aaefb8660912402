import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import { findForm } from '#src/forms/form-store.ts'
import { formSubject } from '#src/forms/history/record-form.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { LOCATIONS } from '#src/taxonomies/place-kind.ts'
import { termSubject } from '#src/taxonomies/record-term.ts'
import type { Subject } from '#src/versions/version.ts'
import { findVersion, listVersionContents, type StoredVersion } from '#src/versions/version-store.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import type { Acknowledged } from '../support/edit-until-killed.ts'
import { storeForm } from '../support/forms.ts'
import { waitFor } from '../support/running-site.ts'
import { addPlaces } from '../support/small-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'

const KILLS = soakLength(3, 50)
const MOST_ACKNOWLEDGED = 30
const MOST_DELAY_MS = 5
const SCRIPT = join(import.meta.dirname, '../support/edit-until-killed.ts')

test('saved texts, settings, places, forms, drafts, deletions, and restores survive kill -9', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const place = (await addPlaces(db, 'usa/texas')).get('texas') ?? 0
  const form = await storeForm(db, 'quote')
  const account = { email: 'ann@example.com', name: 'Ann', passwordHash: '', now: new Date() }
  const editor = await insertAdministrator(db, account)
  const acknowledged: Acknowledged[] = []
  for (let kills = 0; kills < KILLS; kills += 1) {
    const child = fork(SCRIPT, [path, 'texas', form.slug, String(editor)])
    child.on('message', (one: Acknowledged) => acknowledged.push(one))
    const enough = acknowledged.length + 1 + Math.random() * MOST_ACKNOWLEDGED
    await waitFor(() => acknowledged.length >= enough || child.exitCode !== null, 60_000)
    assert.equal(child.exitCode, null, 'an edit failed')
    await wait(Math.random() * MOST_DELAY_MS)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  const lost: Acknowledged[] = []
  for (const one of acknowledged) {
    const version = await findVersion(db, one.subject, one.versionId)
    if (!version || nameIn(version) !== one.title) lost.push(one)
  }
  const file = new SqliteDatabase(path)
  t.after(() => file.close())
  const count = (sql: string) => file.prepare(sql).pluck().get()
  const homeless = acknowledged.filter(
    ({ subject: { kind, id } }) =>
      kind === 'entry' &&
      count(`select (select count(*) from content_entries where id = ${id})
        + (select count(*) from content_trash where subject_id = ${id})`) !== 1,
  )
  assert.deepEqual({ lost, homeless }, { lost: [], homeless: [] })
  // What is stored is what its newest version says: neither is written alone.
  const stored: [Subject, string | undefined][] = [
    [SETTINGS_SUBJECT, (await findSiteSettings(db)).name],
    [termSubject(place), (await loadTaxonomy(db, LOCATIONS))?.tree.byId.get(place)?.name],
    [formSubject(form.id), (await findForm(db, form.slug))?.name],
  ]
  for (const [subject, name] of stored) {
    const [newest] = await listVersionContents(db, subject, { limit: 1 })
    if (newest) assert.equal(name, nameIn(newest))
  }
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(file.pragma('foreign_key_check'), [])
  const kinds = [...Map.groupBy(acknowledged, ({ subject }) => subject.kind)]
  const counts = kinds.map(([kind, ones]) => `${ones.length} ${kind}`).join(', ')
  printFigure(t, `0 of ${acknowledged.length} versions lost in ${KILLS} kills (${counts})`)
})

function nameIn({ content }: StoredVersion): string | undefined {
  const { title, name } = content as { title?: string; name?: string }
  return title ?? name
}
