import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toStageValues } from '#src/admin/stages/posted-stages.ts'
import type { App } from '#src/app.ts'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { stageTexts } from '#src/messages/admin/settings/stages.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { listPublishes, type Publish } from '#src/publish/publish-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { listVersions, retireDraft } from '#src/versions/version-store.ts'
import { PROJECT_DIR } from '#tests/support/running-site.ts'
import { addEntry } from '#tests/support/small-site.ts'
import { added, changed, removed, type Write } from './write.ts'

export const SITE_WRITES: Write[] = [
  {
    route: '/admin/settings',
    does: 'changes the settings of the site',
    async arrange({ app }) {
      await saveSiteSettings(app.db, siteSettings.parse({ name: 'Ours' }), {
        now: '2026-11-20T10:00:00.000Z',
      })
      return {
        ...{ path: '/admin/settings', fields: { name: 'Bluebonnet', tagline: 'Cool air' } },
        logs: {
          ...{ action: 'settings.changed', subject: 'settings site' },
          summary: 'Changed the site settings: Name, Tagline',
        },
        changes: [...changed('settings', 'site'), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/settings',
    does: 'saves settings that are the same',
    unlogged: 'Nothing is different.',
    async arrange({ app }) {
      await saveSiteSettings(app.db, siteSettings.parse({ name: 'Ours' }), {
        now: '2026-11-20T10:00:00.000Z',
      })
      return { path: '/admin/settings', fields: { name: 'Ours' }, changes: [] }
    },
  },
  {
    route: '/admin/settings/stages',
    does: 'renames the stages of leads',
    async arrange({ app }) {
      const stages = DEFAULT_STAGES.map((stage) => ({ ...stage, name: `${stage.name} 2` }))
      return {
        ...{ path: '/admin/settings/stages', fields: toStageValues(stages) },
        logs: {
          ...{ action: 'settings.changed', subject: 'settings site' },
          summary: stageTexts.activity(stages.map(({ name }) => name)),
        },
        changes: [...changed('settings', 'site'), ...added('content_versions', 2)],
        undo: () =>
          saveSiteSettings(app.db, siteSettings.parse({ name: 'Ours' }), { now: '2026-11-20T10:00:00.000Z' }),
      }
    },
  },
  {
    route: '/admin/settings',
    does: 'saves a draft of the settings',
    async arrange({ app }) {
      await saveSiteSettings(app.db, siteSettings.parse({ name: 'Ours' }), {
        now: '2026-11-20T10:00:00.000Z',
      })
      return {
        ...{ path: '/admin/settings', fields: { name: 'Bluebonnet', act: 'draft' } },
        logs: {
          ...{ action: 'settings.draft_saved', subject: 'settings site' },
          summary: 'Saved a draft of the site settings',
        },
        changes: added('content_versions', 2),
        undo: () => retireDraft(app.db, SETTINGS_SUBJECT),
      }
    },
  },
  {
    route: '/admin/home',
    does: 'changes the settings of the home page',
    async arrange({ app }) {
      await saveSiteSettings(app.db, siteSettings.parse({ name: 'Ours at home' }), {
        now: new Date().toISOString(),
      })
      return {
        ...{ path: '/admin/home', fields: { 'home.heading': 'Hot house?' } },
        logs: {
          ...{ action: 'settings.changed', subject: 'settings site' },
          summary: 'Changed the site settings: Home page: Heading',
        },
        changes: [...changed('settings', 'site'), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/home/draft',
    does: 'discards the draft from the home page',
    async arrange({ app }) {
      const version = await draftSettings(app)
      return {
        ...{ path: '/admin/home/draft', fields: { act: 'discard', version } },
        logs: {
          ...{ action: 'settings.draft_discarded', subject: 'settings site' },
          summary: 'Discarded the draft of the site settings',
        },
        changes: changed('content_versions', version),
      }
    },
  },
  {
    route: '/admin/home/versions/[version]',
    does: 'restores the home page of a version, and no other setting',
    async arrange({ app }) {
      const now = new Date('2026-11-20T10:00:00.000Z')
      for (const heading of ['Hot house?', 'Cold house?']) {
        const home = siteSettings.parse({ name: heading, home: { heading } })
        await changeSiteSettings(app.db, { changes: { home: home.home, name: home.name } }, { now })
      }
      const [, first] = await listVersions(app.db, SETTINGS_SUBJECT, { limit: 2 })
      return {
        path: `/admin/home/versions/${first?.id}`,
        logs: {
          ...{ action: 'settings.restored', subject: 'settings site' },
          summary: 'Restored a version of the site settings',
        },
        changes: [...changed('settings', 'site'), ...added('content_versions')],
      }
    },
  },
  {
    route: '/admin/settings/draft',
    does: 'uses the draft of the settings',
    async arrange({ app }) {
      const version = await draftSettings(app)
      return {
        ...{ path: '/admin/settings/draft', fields: { act: 'use', version } },
        logs: {
          ...{ action: 'settings.draft_used', subject: 'settings site' },
          summary: 'Added the draft of the site settings to the next publish',
        },
        changes: [
          ...changed('settings', 'site'),
          ...changed('content_versions', version),
          ...added('content_versions'),
        ],
      }
    },
  },
  {
    route: '/admin/settings/draft',
    does: 'discards the draft of the settings',
    async arrange({ app }) {
      const version = await draftSettings(app)
      return {
        ...{ path: '/admin/settings/draft', fields: { act: 'discard', version } },
        logs: {
          ...{ action: 'settings.draft_discarded', subject: 'settings site' },
          summary: 'Discarded the draft of the site settings',
        },
        changes: changed('content_versions', version),
      }
    },
  },
  {
    route: '/admin/settings/preview',
    does: 'shows the home page with settings as they are typed',
    unlogged: 'It is a look at the page: nothing is stored.',
    arrange: async () => ({ path: '/admin/settings/preview', fields: { name: 'Typed' }, changes: [] }),
  },
  {
    route: '/admin/settings/replacement',
    does: 'replaces a former phone number on a page',
    async arrange({ app }) {
      const now = new Date('2026-11-20T10:00:00.000Z')
      const id = await addEntry(app.db, 'pages', {
        slug: 'call',
        title: 'Call',
        body: 'Call (512) 555-0142.',
      })
      for (const phone of ['(512) 555-0142', '(512) 555-0100'])
        await changeSiteSettings(app.db, { changes: { phone } }, { now })
      return {
        path: `/admin/settings/replacement?number=${encodeURIComponent('(512) 555-0142')}`,
        logs: {
          ...{ action: 'entry.changed', subject: `entry ${id}` },
          summary: 'Changed “Call” in Pages',
        },
        changes: [...changed('content_entries', id), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/settings/versions/[version]',
    does: 'restores a version of the settings',
    async arrange({ app }) {
      const now = new Date('2026-11-20T10:00:00.000Z')
      for (const name of ['Ours', 'Theirs']) await changeSiteSettings(app.db, { changes: { name } }, { now })
      const [, first] = await listVersions(app.db, SETTINGS_SUBJECT, { limit: 2 })
      return {
        path: `/admin/settings/versions/${first?.id}`,
        logs: {
          ...{ action: 'settings.restored', subject: 'settings site' },
          summary: 'Restored a version of the site settings',
        },
        changes: [...changed('settings', 'site'), ...added('content_versions')],
      }
    },
  },
  {
    route: '/admin/reports/mail',
    does: 'sends nothing without a mail server; tests/integration/admin/reports.test.ts has one',
    unlogged: 'Nothing is sent.',
    arrange: async () => ({ path: '/admin/reports/mail', fields: { period: '2026' }, changes: [] }),
  },
  {
    route: '/admin/conflicts',
    does: 'uses the file version of one of two pages',
    async arrange({ app, name }) {
      const { ids, conflict } = await storeConflicts(app, name)
      return {
        ...{ path: '/admin/conflicts', fields: { ...conflict, prefer: 'file' } },
        logs: {
          ...{ action: 'content.settled', subject: `content_file ${conflict.path}` },
          summary: `Used the file version of ${conflict.path}`,
        },
        changes: [
          ...changed('content_entries', ids[0]),
          ...changed('content_files', conflict.path),
          ...added('content_versions', 2),
          ...removed('content_conflicts', conflict.path),
        ],
      }
    },
  },
  {
    route: '/admin/publish',
    does: 'publishes a new page',
    async arrange({ app, name }) {
      await publishAll(app)
      await addEntry(app.db, 'pages', { slug: name, title: 'New' })
      return {
        path: '/admin/publish',
        logs: { action: 'site.published', subject: null, summary: 'Published the site' },
        changes: [...added('publishes'), ...added('published_addresses')],
      }
    },
  },
  {
    route: '/admin/publish/changes',
    does: 'publishes a selected change',
    async arrange({ app, name }) {
      await publishAll(app)
      const id = await addEntry(app.db, 'pages', { slug: name, title: 'New' })
      return {
        path: '/admin/publish/changes',
        fields: { 'changes[]': `entry:${id}` },
        logs: { action: 'site.published', subject: null, summary: 'Published 1 change' },
        changes: [...added('publishes'), ...added('published_addresses')],
      }
    },
  },
  {
    route: '/admin/publish/[id]/rollback',
    does: 'goes back to the release before',
    async arrange({ app, name }) {
      await addEntry(app.db, 'pages', { slug: `${name}-first`, title: 'First' })
      const { id, releaseId } = await publishAll(app)
      await addEntry(app.db, 'pages', { slug: `${name}-second`, title: 'Second' })
      await publishAll(app)
      return {
        path: `/admin/publish/${id}/rollback`,
        logs: {
          ...{ action: 'site.rolled_back', subject: `release ${releaseId}` },
          summary: `Rolled the site back to ${releaseId}`,
        },
        changes: added('publishes'),
      }
    },
  },
]

/** Publishes all there is, and returns the newest publish. */
export async function publishAll({ db, config }: App): Promise<Publish> {
  const { dataDir, siteUrl } = config
  const now = () => new Date()
  await publishSite(db, { projectDir: PROJECT_DIR, dataDir, siteUrl, now, progress: silentProgress })
  const [publish] = await listPublishes(db, { limit: 1 })
  assert.ok(publish)
  return publish
}

/** Two pages that changed in their files and in the admin, and the first conflict. */
async function storeConflicts({ db, config, secretBox }: App, name: string) {
  const { contentDir } = config
  const paths = ['one', 'two'].map((page) => `pages/${name}-${page}.md`)
  const write = (title: string) => {
    for (const path of paths)
      writeFileSync(join(contentDir, path), `---\ntitle: ${title}\n---\n\nWho we are.\n`)
  }
  const options = {
    contentDir,
    pictureFiles: openPictureFiles(contentDir),
    environment: {},
    secretBox,
    now: new Date(),
  }
  mkdirSync(join(contentDir, 'pages'), { recursive: true })
  write('First')
  await syncContent(db, { ...options, prefer: undefined })
  const slugs = [`${name}-one`, `${name}-two`]
  const pages = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', 'in', slugs)
    .orderBy('slug')
    .execute()
  await db.updateTable('content_entries').set({ title: 'Of the admin' }).where('slug', 'in', slugs).execute()
  write('Of the file')
  await syncContent(db, { ...options, prefer: undefined })
  const conflict = (await listConflicts(db, { limit: 100 })).find(({ path }) => path === paths[0])
  assert.ok(conflict)
  return { ids: pages.map(({ id }) => id), conflict: { path: conflict.path, version: conflict.version } }
}

/** Saves a draft of the settings. Returns the ID of its version, as a form posts it. */
async function draftSettings({ db }: App): Promise<string> {
  const now = new Date('2026-11-20T10:00:00.000Z')
  await saveSettingsDraft(db, { changes: { name: `Ours ${randomUUID()}` } }, { now })
  const [draft] = await listVersions(db, SETTINGS_SUBJECT, { limit: 1 })
  return String(draft?.id)
}
