import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** Rooms that do one thing, with the files that others may import. Tests import what they test. */
const DOORS: Record<string, string[]> = {
  'src/auth/passwords': ['password-rules.ts'],
  'src/backups': [
    'automatic-backups.ts',
    'backup-turn-store.ts',
    'holding-backups.ts',
    'make-backup.ts',
    'make-postgres-backup.ts',
    'postgres-programs.ts',
    'restore-backup.ts',
    'restore-postgres-backup.ts',
    'stored-backups.ts',
  ],
  'src/content-files/syncing': [
    'apply-plans.ts',
    'form-rows.ts',
    'plan-paths.ts',
    'plan-sync.ts',
    'sync-content.ts',
    'sync-options.ts',
  ],
  'src/doctor': ['check-conditions.ts', 'examine.ts'],
  'src/forms/field-types': ['control.ts', 'field-type.ts', 'field-types.ts'],
  'src/publish/live': ['live-content.ts', 'scheduled-content.ts'],
  'src/publish/pictures': [
    'count-pictures.ts',
    'drawing-fonts.ts',
    'entry-pictures.ts',
    'share-pictures.ts',
    'site-icons.ts',
  ],
  'src/publish/warm': ['command-socket.ts', 'open-warm-process.ts', 'warm-calls.ts'],
  'src/server/dashboard': ['count-activity.ts', 'daily-series.ts', 'load-dashboard.ts'],
  'src/server/development': ['development-server.ts', 'theme-assets.ts'],
  'src/server/prerender': ['static-build.ts', 'static-paths.ts', 'static-site.ts', 'types-of-site.ts'],
  'src/submissions/intake': [
    'accept-submission.ts',
    'form-controls.ts',
    'group-commit.ts',
    'notification-content.ts',
    'read-form-body.ts',
    'read-multipart.ts',
    'reply-content.ts',
    'sample-mails.ts',
    'submission-hooks.ts',
  ],
  'src/webhooks/dispatching': ['delivery-queue-store.ts', 'dispatcher.ts', 'retry-schedule.ts'],
}

/** What an area of the admin shows of another one. */
const SHARED_AMONG_AREAS = [
  'src/admin/backups/describe-retention.ts',
  'src/admin/emails/MailMissing.astro',
  'src/admin/entries/TermSelect.astro',
  'src/admin/settings/PhoneNotice.astro',
  'src/admin/webhooks/CodeBlock.astro',
  'src/admin/webhooks/ConditionBuilder.astro',
  'src/admin/webhooks/ConditionTrace.astro',
  'src/admin/webhooks/HeaderList.astro',
  'src/admin/webhooks/ReferenceList.astro',
  'src/admin/webhooks/UnknownSlugs.astro',
  'src/admin/webhooks/load-reason-names.ts',
  'src/admin/webhooks/paths.ts',
  'src/admin/webhooks/posted-webhook.ts',
  'src/admin/webhooks/rule-names.ts',
  'src/admin/webhooks/webhook-editor.client.ts',
]
const FOR_ALL_AREAS = ['access', 'audit', 'editing', 'kit', 'navigation', 'versions'].map(
  (area) => `src/admin/${area}`,
)

const IMPORTS = ['src', 'scripts', 'migrations'].flatMap(importsIn)

test('a room that does one thing is entered through its doors', () => {
  for (const [room, doors] of Object.entries(DOORS)) {
    const entered = IMPORTS.filter(
      ({ from, to }) => to.startsWith(`${room}/`) && !from.startsWith(`${room}/`),
    )
    const files = new Set(entered.map(({ to }) => to.slice(room.length + 1)))
    assert.deepEqual([...files].sort(), doors, room)
  }
})

test('an area of the admin uses its own parts and those of the kit', () => {
  const areaOf = (path: string) => path.split('/').slice(0, 3).join('/')
  const isPart = (path: string) => path.startsWith('src/admin/')
  const borrowed = IMPORTS.filter(({ from, to }) => isPart(from) && isPart(to) && areaOf(from) !== areaOf(to))
  const files = new Set(borrowed.filter(({ to }) => !FOR_ALL_AREAS.includes(areaOf(to))).map(({ to }) => to))
  assert.deepEqual([...files].sort(), SHARED_AMONG_AREAS)
})

// Templates too, which the import rules do not read.
function importsIn(folder: string): { from: string; to: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(ts|astro)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name).slice(ROOT.length + 1))
    .flatMap((from) =>
      [...readFileSync(join(ROOT, from), 'utf8').matchAll(/(?:from|import\(?) ?'((?:\.|#src\/)[^']+)'/g)].map(
        ([, to = '']) => ({
          from,
          to: to.startsWith('#src/') ? to.slice(1) : join(dirname(from), to),
        }),
      ),
    )
}
