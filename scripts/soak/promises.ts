/** A promise of the program and the test that proves it; `name` selects among a file's tests. */
export interface PromiseTest {
  promise: string
  file: string
  name?: string
}

const server = 'tests/integration/server'
const webhooks = 'tests/integration/webhooks'
const submissions = 'tests/integration/submissions'
const promises = 'tests/promises'

/** In the order of the table that `npm run soak` prints. */
export const PROMISES: readonly PromiseTest[] = [
  { promise: 'an acknowledged submission survives a power outage', file: `${server}/power-cut.test.ts` },
  { promise: 'a stored file survives a power outage', file: `${server}/upload-power-cut.test.ts` },
  { promise: 'an acknowledged submission survives kill -9', file: `${promises}/kill.test.ts` },
  {
    promise: 'a submission and its deliveries are one transaction',
    file: `${submissions}/storage-trouble.test.ts`,
    name: 'are one transaction',
  },
  {
    promise: 'simultaneous posts with the same _id are stored once',
    file: `${submissions}/accept-submission.test.ts`,
    name: '1,000 pairs',
  },
  {
    promise: 'a filled spam trap doesn’t change the response time',
    file: `${server}/abuse.test.ts`,
    name: 'filled decoy',
  },
  {
    promise: 'restoring a version is exact, over 1,000 random edits',
    file: 'tests/integration/entries/versions.test.ts',
    name: 'are restored exactly',
  },
  {
    promise: 'restoring the settings is exact, over 1,000 random edits',
    file: 'tests/integration/site/settings-versions.test.ts',
    name: 'after random edits',
  },
  {
    promise: 'restoring a picture is exact, over 1,000 random edits',
    file: 'tests/integration/files/picture-versions.test.ts',
    name: 'is restored exactly',
  },
  {
    promise: 'restoring from the trash is exact, over 1,000 random edits',
    file: 'tests/integration/entries/term-trash.test.ts',
    name: 'restoring is exact',
  },
  {
    promise: 'links return in whatever order the trash is restored',
    file: 'tests/integration/entries/term-trash.test.ts',
    name: 'links return',
  },
  { promise: 'results equal a plain count of leads after kills', file: `${promises}/results-kill.test.ts` },
  { promise: 'no lead gets two replies, and no spam gets one', file: `${promises}/replies.test.ts` },
  { promise: 'every delivery is attempted, even if the process is killed', file: `${webhooks}/kill.test.ts` },
  {
    promise: 'deliveries resume within 5 s after a crash',
    file: 'tests/e2e/process.test.ts',
    name: 'the next start',
  },
  { promise: 'slow receivers don’t delay others', file: `${webhooks}/tar-pit.test.ts` },
  { promise: 'an attempt ends at its deadline', file: `${webhooks}/send-attempt.test.ts` },
  { promise: 'at most 16 KiB of a response is read', file: `${webhooks}/response-table.test.ts` },
  { promise: 'no attempt reaches a private address', file: `${webhooks}/socket-address.test.ts` },
  {
    promise: 'no private address is accepted, whether as a literal or as a name',
    file: 'tests/unit/webhooks/destination-address.test.ts',
  },
  { promise: 'two processes never send the same attempt', file: `${webhooks}/two-processes.test.ts` },
  {
    promise: 'a silent database is noticed within 5 s',
    file: `${promises}/database-silent.test.ts`,
    name: 'a silent database is noticed',
  },
  {
    promise: 'deliveries and emails resume within 10 s after the database is back',
    file: `${promises}/database-silent.test.ts`,
    name: 'webhooks and emails resume',
  },
  {
    promise: 'a database crash or failover loses no acknowledged posts',
    file: `${promises}/database-failover.test.ts`,
  },
  { promise: 'no form body causes a 5xx or blocks the loop', file: `${server}/fuzz.test.ts` },
  { promise: 'no request to any route causes a 5xx or blocks the loop', file: `${promises}/fuzz.test.ts` },
  {
    promise: 'no request to the admin blocks the loop for 50 ms',
    file: 'tests/promises/admin-turns.test.ts',
    name: 'no request to the admin',
  },
  {
    promise: 'retention never blocks the loop',
    file: `${submissions}/retention-steps.test.ts`,
  },
  {
    promise: 'stored markup never runs in a browser',
    file: 'tests/e2e/admin/inbox.test.ts',
    name: 'stored markup never runs',
  },
  {
    promise: 'visitors’ input is shown as text, and their files are only downloaded',
    file: 'tests/integration/inbox/inbox-pages.test.ts',
    name: 'never becomes markup',
  },
  {
    promise: 'no admin route answers without a session, however its path is spelled',
    file: 'tests/integration/admin/guard.test.ts',
  },
  {
    promise: 'sign-in is limited to 5 failures per account and 20 per address',
    file: 'tests/integration/auth/accounts.test.ts',
    name: 'sign-in is limited',
  },
  {
    promise: 'known and unknown accounts take the same time',
    file: 'tests/integration/auth/timing.test.ts',
  },
  {
    promise: 'an account with limits sees no byte of a lead beyond them',
    file: 'tests/integration/roles/leads-of-others.test.ts',
    name: 'no answer to an account with limits',
  },
  {
    promise: 'no file contains an erased person',
    file: 'tests/integration/privacy/erase-person.test.ts',
    name: 'no byte',
  },
  {
    promise: 'a killed erasure resumes',
    file: 'tests/integration/privacy/erase-person.test.ts',
    name: 'killed',
  },
  {
    promise: 'a crawler during publishes finds nothing missing or mixed',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'crawler',
  },
  {
    promise: 'several servers are one site: releases on all within 2 s, nothing missing or reverted',
    file: `${server}/shared-site.test.ts`,
    name: 'several servers',
  },
  {
    promise: 'three servers lose nothing while servers are killed and the database fails',
    file: `${promises}/several-servers-kill.test.ts`,
  },
  {
    promise: 'an upgrade under load loses no post, on either database',
    file: `${promises}/two-versions.test.ts`,
  },
  {
    promise: 'a killed publish leaves the old site intact',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'killed',
  },
  {
    promise: 'no site goes live before it is on disk',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'no site goes live',
  },
  {
    promise: 'incremental publishes produce the same bytes as a full build',
    file: 'tests/integration/publish/same-site.test.ts',
    name: 'incremental publishes',
  },
  {
    promise: 'a killed publish of selected changes publishes all of them or nothing',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'selected changes',
  },
  {
    promise: 'scheduled drafts survive kill -9, each published once and alone',
    file: `${promises}/scheduled-drafts-kill.test.ts`,
  },
  { promise: 'saves, drafts, and restores survive kill -9', file: `${promises}/edits-kill.test.ts` },
  { promise: 'pictures survive kill -9, without orphaned files', file: `${promises}/pictures-kill.test.ts` },
  { promise: 'SIGTERM under load loses and resets nothing', file: `${promises}/sigterm.test.ts` },
  {
    promise: 'a restart behind a proxy loses no posts',
    file: `${promises}/restart-behind-proxy.test.ts`,
  },
  { promise: 'the program exits even if something hangs', file: `${server}/end-program.test.ts` },
  { promise: 'a backup taken under load can be restored', file: `${promises}/backup.test.ts` },
  { promise: 'secrets stay secret', file: `${promises}/secrets.test.ts` },
  {
    promise: 'a killed key rotation keeps every secret readable',
    file: `${server}/key-rotation-running.test.ts`,
    name: 'killed at any moment',
  },
  {
    promise: 'deleted data is gone from the files',
    file: `${server}/removed-data.test.ts`,
    name: 'removed at random',
  },
  {
    promise: 'slow clients are disconnected, and bodies over the limit are refused',
    file: `${promises}/slow-clients.test.ts`,
  },
  {
    promise: 'nothing is lost when storage is full, read-only, or damaged',
    file: `${promises}/storage.test.ts`,
  },
  {
    promise: 'a locked database is reported after 5 s',
    file: `${submissions}/storage-trouble.test.ts`,
    name: 'keeps locked',
  },
  {
    promise: 'a second server on one SQLite file is refused',
    file: 'tests/e2e/process.test.ts',
    name: 'beside a running server',
  },
  { promise: 'a clock jump of one day does no harm', file: `${promises}/clock-jumps.test.ts` },
  { promise: 'a clock jump of one day does no harm: deliveries', file: `${webhooks}/clock-jumps.test.ts` },
  {
    promise: 'a clock jump of one day does no harm: the publish schedule',
    file: `${server}/publish-schedule.test.ts`,
    name: 'after a clock was set back',
  },
]
