import { globSync } from 'node:fs'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../..')

/**
 * For each area, the fastest tests outside its folders that reach code its own tests don't: folders or files of
 * `tests/{unit,integration}`.
 */
export const ALSO_TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  admin: [
    'components/admin-form',
    'components/format-time',
    'components/inbox-query',
    'components/limits',
    'components/mark-rendered',
    'components/setting-mistakes',
    'dashboard',
    'entries/markdown-link',
    'entries/offered-places',
    'forms/option-lines',
    'inbox',
    'pictures/own-paragraph',
    'privacy',
    'roles/colleagues',
    'roles/managing-users',
  ],
  auth: ['admin/account-pages', 'backups/restored-secrets'],
  conditions: ['notifications/renamed-places'],
  'content-files': ['admin/conflicts', 'backups/restored-secrets', 'server/key-rotation'],
  db: [
    'inbox/limited-plans',
    'server/doctor',
    'server/key-rotation',
    'server/removed-data',
    'submissions/storage-failure',
  ],
  doctor: ['server/doctor', 'server/doctor-secrets', 'server/key-rotation'],
  entries: [
    'admin/conflicts',
    'admin/entries',
    'admin/pictures',
    'admin/scheduled-changes',
    'admin/version-list',
    'content-files/renames',
    'content-files/webhook-templates',
    'publish/page-states',
    'site/archives',
    'taxonomies',
    'versions',
  ],
  forms: [
    'admin/email-pages',
    'admin/form-pages',
    'admin/mail-trials',
    'admin/recipient-list',
    'admin/version-list',
    'admin/without-mail-server',
    'entries/versions',
    'site/form-usage',
    'submissions/edit-form',
    'submissions/form-status',
    'submissions/form-store',
    'submissions/stale-pages',
    'webhooks/sample-answers',
  ],
  lib: [
    'admin/entries',
    'admin/limits',
    'auth/accounts',
    'components',
    'config',
    'content-files/located-yaml',
    'publish/share-picture',
    'server/doctor-secrets',
    'server/hostile-posts',
    'content-files/mistakes',
    'publish/notices',
    'site/text-pictures',
    'site/pages',
    'webhooks/sealed-headers',
  ],
  notifications: [
    'admin/email-pages',
    'admin/mail-trials',
    'dashboard/failing-mail',
    'inbox/inbox-pages',
    'server/workers',
    'submissions/mark-spam',
  ],
  pictures: [
    'admin/pictures',
    'content-files/pictures',
    'files',
    'server/removed-data',
    'server/unpublished-logo',
    'site/page-pictures',
    'site/text-pictures',
  ],
  publish: [
    'admin/publish-previews',
    'admin/publish-approvals',
    'admin/old-number',
    'admin/publish-selected',
    'admin/publish-pages',
    'admin/home-page',
    'components/template-parts',
    'server/preview-maker',
    'site/hooks',
  ],
  'secret-keys': ['backups/restored-secrets', 'config', 'server/key-rotation'],
  server: [
    'admin/admin-host',
    'admin/monthly-report',
    'admin/schedule-notice',
    'backups/automatic-backups',
    'dashboard',
    'publish/changed-pages',
    'publish/site-check',
    'submissions/retention',
  ],
  site: [
    'admin/entries',
    'admin/form-pages',
    'admin/home-page',
    'admin/picture-fields',
    'admin/settings-page',
    'components',
    'content-files/three-way-sync',
    'entries/own-sections',
    'publish/causes',
    'publish/own-pages',
    'publish/replaced-picture',
    'publish/share-picture',
  ],
  submissions: [
    'admin/guard',
    'admin/mail-trials',
    'admin/reports',
    'admin/stages-page',
    'admin/without-mail-server',
    'content-files/renames',
    'content-files/stages',
    'dashboard',
    'inbox',
    'notifications/replies',
    'notifications/resend-mail',
    'server/hostile-posts',
    'server/removed-data',
    'server/uploads',
    'server/uploads-kept',
  ],
  taxonomies: ['admin/taxonomy-pages', 'server/refusals', 'site/place-names'],
  webhooks: ['admin/guard', 'admin/webhook-pages', 'content-files/bound-secrets', 'submissions/spam'],
}

/** Returns the test files for a file or folder of `src`; none when nothing is near. */
export function nearestTests(path: string): string[] {
  const area = path.split('/')[1] ?? ''
  return [area, ...(ALSO_TESTED_BY[area] ?? [])].flatMap(testFiles).sort()
}

/** Returns the test files of a folder, or the one file, below `tests/unit` and `tests/integration`. */
export function testFiles(name: string): string[] {
  return globSync(`tests/{unit,integration}/${name}{.test.ts,/**/*.test.ts}`, { cwd: PROJECT })
}
