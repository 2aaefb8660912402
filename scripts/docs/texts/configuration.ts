interface VariableText {
  meaning: string
  /** Default that depends on other variables; if missing, the schema's default. */
  default?: string
}

/** Meaning of each environment variable, in the order of the page. */
export const VARIABLES: Readonly<Record<string, VariableText>> = {
  HOST: { meaning: 'The address to listen on.' },
  PORT: { meaning: 'The port to listen on.' },
  SITE_URL: {
    meaning:
      'The public origin. It decides canonical links, which hosts are answered, and which posts come from this site.',
    default: '`http://localhost:$PORT`',
  },
  DATA_DIR: { meaning: 'The database, releases, uploads, backups, and the generated key.' },
  CONTENT_DIR: { meaning: 'The content files.' },
  CONTENT_SYNC: {
    meaning:
      'What a start syncs when several servers use one PostgreSQL database: see [Several servers](../deploying.md#content-files).',
  },
  DATABASE_URL: { meaning: 'The database.', default: '`file:$DATA_DIR/signpost.db`' },
  DATABASE_POOL: { meaning: 'PostgreSQL connections per server. A health check uses one more.' },
  FILE_STORE: {
    meaning:
      'A folder or a bucket of an S3 service, shared by all servers, for visitors’ files; on PostgreSQL also for releases, previews, and pictures.',
    default: '`file:$DATA_DIR`',
  },
  S3_ACCESS_KEY_ID: { meaning: 'The access key for a bucket in `FILE_STORE`.' },
  S3_SECRET_ACCESS_KEY: { meaning: 'The secret of that access key.' },
  PUBLISH_TO: {
    meaning:
      'The bucket that a static host or CDN serves: see [Publishing](../publishing.md#buckets-and-cdns).',
  },
  PUBLISH_ACCESS_KEY_ID: {
    meaning: 'The access key for `PUBLISH_TO` and CloudFront.',
    default: '`S3_ACCESS_KEY_ID`',
  },
  PUBLISH_SECRET_ACCESS_KEY: {
    meaning: 'The secret of that access key.',
    default: '`S3_SECRET_ACCESS_KEY`',
  },
  PURGE: { meaning: 'The CDN whose copies of changed pages are purged after a publish.' },
  PURGE_TOKEN: { meaning: 'The token for `PURGE`: sent to Fastly as `Fastly-Key`, else as a bearer token.' },
  INDEXNOW: { meaning: 'Notifies search engines of changed pages that they may list.', default: '`no`' },
  SECRET_KEY: {
    meaning:
      'Encrypts stored secrets and signs tokens. Keep it with your backups: the program refuses to start with another key.',
    default: 'created in `DATA_DIR` at the first start',
  },
  SECRET_KEY_PREVIOUS: {
    meaning:
      'The key that `SECRET_KEY` replaces, valid until you remove it: see [Security](../security.md#keys).',
  },
  TRUSTED_PROXIES: {
    meaning:
      'The proxies whose `X-Forwarded-For` or `Forwarded` counts. Without it, all visitors behind a proxy count as one.',
    default: 'none',
  },
  ADMIN_HOST: {
    meaning:
      'A host for the admin alone. `/admin` answers 404 on all other hosts. Point its DNS and your proxy to this server.',
  },
  ADMIN_ALLOW: {
    meaning:
      'Addresses that may open the admin. For everyone else there is no admin. Behind a proxy, set `TRUSTED_PROXIES` too.',
  },
  SECURITY_CONTACT: {
    meaning: 'Where to send security reports, published as `/.well-known/security.txt`.',
  },
  FORM_ORIGINS: { meaning: 'Other origins whose pages may read and post forms.' },
  RATE_LIMIT: { meaning: 'Accepted posts per client address (IPv6: per /64) and form.' },
  WEBHOOK_ALLOW: {
    meaning: 'Private addresses that webhooks may reach. Plain `http:` works for these only.',
  },
  WEBHOOK_RETRY_SCHEDULE: { meaning: 'The delay before each retry. The last one repeats.' },
  WEBHOOK_TIMEOUT: { meaning: 'The deadline of one attempt.' },
  SMTP_URL: { meaning: 'The mail server. Needs `MAIL_FROM`. Without it, no email is sent.' },
  MAIL_FROM: { meaning: 'The sender of emails.' },
  BACKUP_KEEP: { meaning: 'The number of daily backups to keep.' },
  METRICS_PORT: { meaning: 'The loopback port for Prometheus metrics.' },
  LOG_LEVEL: { meaning: 'The level of the JSON log on stdout.' },
  LISTEN_FDS: { meaning: 'Set by systemd when it passes a listening socket.' },
  LISTEN_PID: { meaning: 'Set by systemd with `LISTEN_FDS`.' },
}
