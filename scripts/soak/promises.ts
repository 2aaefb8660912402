/** A promise of the program and the test that keeps it; `name` chooses among the tests of a file. */
export interface PromiseTest {
  promise: string
  file: string
  name?: string
}

const server = 'tests/integration/server'
const webhooks = 'tests/integration/webhooks'

export const PROMISES: readonly PromiseTest[] = [
  {
    promise: 'an acknowledged submission survives a power cut',
    file: `${server}/power-cut.test.ts`,
  },
  { promise: 'a stored file survives a power cut', file: `${server}/upload-power-cut.test.ts` },
  {
    promise: 'an acknowledged submission survives kill -9, with its deliveries',
    file: 'tests/promises/kill.test.ts',
  },
  {
    promise: 'the same _id at the same time stores once',
    file: 'tests/integration/submissions/accept-submission.test.ts',
    name: '1,000 pairs',
  },
  { promise: 'every delivery arrives through kills', file: `${webhooks}/kill.test.ts` },
  {
    promise: 'after a crash deliveries go on within 5 s',
    file: 'tests/e2e/process.test.ts',
    name: 'the next start',
  },
  {
    promise: 'publishes under a crawler: nothing missing, nothing mixed',
    file: 'tests/promises/publish-under-load.test.ts',
    name: 'crawler',
  },
  {
    promise: 'a publish that is killed leaves the old site whole',
    file: 'tests/promises/publish-under-load.test.ts',
    name: 'killed',
  },
  {
    promise: 'step by step gives the bytes of a full build',
    file: 'tests/integration/publish/same-site.test.ts',
    name: 'whatever was edited',
  },
  { promise: 'slow receivers hold up nobody', file: `${webhooks}/tar-pit.test.ts` },
  { promise: 'an attempt ends at its deadline and reads 16 KiB', file: `${webhooks}/send-attempt.test.ts` },
  { promise: 'no attempt reaches a private address', file: `${webhooks}/socket-address.test.ts` },
  { promise: 'two processes never send the same attempt', file: `${webhooks}/two-processes.test.ts` },
  { promise: 'no body of a form makes a 5xx', file: `${server}/fuzz.test.ts` },
  { promise: 'no request of any route makes a 5xx', file: 'tests/promises/fuzz.test.ts' },
  { promise: 'nothing of the admin without a session', file: 'tests/integration/admin/guard.test.ts' },
  { promise: 'sign-in is limited and tells nothing', file: 'tests/integration/admin/sign-in.test.ts' },
  { promise: 'SIGTERM loses nothing', file: 'tests/promises/sigterm.test.ts' },
  { promise: 'a backup under load restores', file: 'tests/promises/backup.test.ts' },
  { promise: 'secrets stay secret', file: 'tests/promises/secrets.test.ts' },
  { promise: 'slow clients and oversize bodies', file: 'tests/promises/slow-clients.test.ts' },
  { promise: 'a full, read-only or damaged storage', file: 'tests/promises/storage.test.ts' },
]
