// Variables that reach beyond the test's folder or change expected results.
const FOREIGN = [
  ...[
    'DATABASE_URL',
    'SECRET_KEY',
    'SECRET_KEY_PREVIOUS',
    'SMTP_URL',
    'MAIL_FROM',
    'FORM_ORIGINS',
    'TRUSTED_PROXIES',
  ],
  ...[
    'WEBHOOK_RETRY_SCHEDULE',
    'WEBHOOK_TIMEOUT',
    'BACKUP_KEEP',
    'FILE_STORE',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'METRICS_PORT',
    'LISTEN_FDS',
    'LISTEN_PID',
  ],
]

/**
 * Returns the environment for a program that a test starts: with these settings, and without the database, mail
 * server, or key of the person running the tests. An empty variable also hides the one in `.env`.
 */
export function ownEnvironment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = Object.fromEntries(FOREIGN.map((name) => [name, '']))
  return { ...process.env, ...hidden, NODE_TEST_CONTEXT: undefined, ...settings }
}
