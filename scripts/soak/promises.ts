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
  { promise: 'an acknowledged submission survives a power cut', file: `${server}/power-cut.test.ts` },
  { promise: 'a stored file survives a power cut', file: `${server}/upload-power-cut.test.ts` },
  { promise: 'an acknowledged submission survives kill -9', file: `${promises}/kill.test.ts` },
  {
    promise: 'a submission and its deliveries are one unit',
    file: `${submissions}/storage-trouble.test.ts`,
    name: 'are one unit',
  },
  {
    promise: 'the same _id at the same time stores once',
    file: `${submissions}/accept-submission.test.ts`,
    name: '1,000 pairs',
  },
  {
    promise: 'a filled decoy is answered in the same time',
    file: `${server}/abuse.test.ts`,
    name: 'filled decoy',
  },
  {
    promise: 'restoring a version is exact, over 1,000 random edits',
    file: 'tests/integration/entries/versions.test.ts',
    name: 'are restored exactly',
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
  { promise: 'no lead gets two replies, and no spam one', file: `${promises}/replies.test.ts` },
  { promise: 'every delivery is attempted, through kills', file: `${webhooks}/kill.test.ts` },
  {
    promise: 'after a crash deliveries go on within 5 s',
    file: 'tests/e2e/process.test.ts',
    name: 'the next start',
  },
  { promise: 'slow receivers hold up nobody', file: `${webhooks}/tar-pit.test.ts` },
  { promise: 'an attempt ends at its deadline', file: `${webhooks}/send-attempt.test.ts` },
  { promise: 'of an answer 16 KiB are read', file: `${webhooks}/response-table.test.ts` },
  { promise: 'no attempt reaches a private address', file: `${webhooks}/socket-address.test.ts` },
  {
    promise: 'no literal or name of a private address is taken',
    file: 'tests/unit/webhooks/destination-address.test.ts',
  },
  { promise: 'two processes never send the same attempt', file: `${webhooks}/two-processes.test.ts` },
  {
    promise: 'a database that goes silent is noticed within 5 s',
    file: `${promises}/database-silent.test.ts`,
    name: 'a silent database is noticed',
  },
  {
    promise: 'outboxes go on 10 s after the database is back',
    file: `${promises}/database-silent.test.ts`,
    name: 'webhooks and mails go on by themselves',
  },
  {
    promise: 'a database that crashes or fails over loses no acknowledged post',
    file: `${promises}/database-failover.test.ts`,
  },
  { promise: 'no body of a form makes a 5xx or holds the loop', file: `${server}/fuzz.test.ts` },
  { promise: 'no request of any route makes a 5xx or holds the loop', file: `${promises}/fuzz.test.ts` },
  {
    promise: 'no request to the admin holds the loop for 50 ms',
    file: 'tests/integration/admin/long-turns.test.ts',
    name: 'no request to the admin',
  },
  {
    promise: 'retention never holds the loop',
    file: `${submissions}/retention-steps.test.ts`,
  },
  {
    promise: 'stored markup never runs in a browser',
    file: 'tests/e2e/admin/inbox.test.ts',
    name: 'stored markup never runs',
  },
  {
    promise: 'what visitors write is text, their files are only saved',
    file: 'tests/integration/inbox/inbox-pages.test.ts',
    name: 'never becomes markup',
  },
  {
    promise: 'nothing of the admin without a session, in 26 spellings',
    file: 'tests/integration/admin/guard.test.ts',
  },
  {
    promise: 'sign-in: 5 failures of an account, 20 of an address',
    file: 'tests/integration/auth/accounts.test.ts',
    name: 'are the most',
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
    promise: 'an erased person is in no file',
    file: 'tests/integration/privacy/erase-person.test.ts',
    name: 'no byte',
  },
  {
    promise: 'an erasure that is killed goes on',
    file: 'tests/integration/privacy/erase-person.test.ts',
    name: 'killed',
  },
  {
    promise: 'publishes under a crawler: nothing missing, nothing mixed',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'crawler',
  },
  {
    promise: 'several servers are one site: a release on all within 2 s, nothing missing, nothing reverted',
    file: `${server}/shared-site.test.ts`,
    name: 'several servers',
  },
  {
    promise: 'a publish that is killed leaves the old site whole',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'killed',
  },
  {
    promise: 'no site is shown before it is on disk',
    file: `${promises}/publish-under-load.test.ts`,
    name: 'no site is shown',
  },
  {
    promise: 'step by step gives the bytes of a full build',
    file: 'tests/integration/publish/same-site.test.ts',
    name: 'whatever was edited',
  },
  { promise: 'a text or draft survives kill -9', file: `${promises}/edits-kill.test.ts` },
  { promise: 'a picture survives kill -9, no orphan is left', file: `${promises}/pictures-kill.test.ts` },
  { promise: 'SIGTERM under load loses and resets nothing', file: `${promises}/sigterm.test.ts` },
  {
    promise: 'a restart behind a proxy breaks no post',
    file: `${promises}/restart-behind-proxy.test.ts`,
  },
  { promise: 'the program ends whatever hangs', file: `${server}/end-program.test.ts` },
  { promise: 'a backup under load restores', file: `${promises}/backup.test.ts` },
  { promise: 'secrets stay secret', file: `${promises}/secrets.test.ts` },
  {
    promise: 'a killed key rotation keeps every secret readable',
    file: `${server}/key-rotation-running.test.ts`,
    name: 'killed at any moment',
  },
  {
    promise: 'what was deleted is gone from the files',
    file: `${server}/removed-data.test.ts`,
    name: 'removed at random',
  },
  { promise: 'slow clients and oversize bodies', file: `${promises}/slow-clients.test.ts` },
  { promise: 'a full, read-only or damaged storage', file: `${promises}/storage.test.ts` },
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
  { promise: 'clock jumps of a day', file: `${promises}/clock-jumps.test.ts` },
  { promise: 'clock jumps of a day: deliveries', file: `${webhooks}/clock-jumps.test.ts` },
  {
    promise: 'clock jumps of a day: the publish schedule',
    file: `${server}/publish-schedule.test.ts`,
    name: 'after a clock was set back',
  },
]
