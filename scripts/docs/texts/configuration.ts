interface VariableText {
  meaning: string
  /** Default that depends on other variables; if missing, the schema's default. */
  default?: string
}

/** Meanings of the environment variables, in page order. */
export const VARIABLES: Readonly<Record<string, VariableText>> = {
  HOST: { meaning: 'The address to listen on.' },
  PORT: { meaning: 'The port to listen on.' },
  SITE_URL: {
    meaning:
      'The site’s public origin, used in canonical links. The server rejects requests for unknown hosts. It also rejects POST requests from other origins, except form posts from the origins in `FORM_ORIGINS`.',
    default: '`http://localhost:$PORT`',
  },
  DATA_DIR: {
    meaning: 'The folder for the database, releases, uploads, backups, and the generated `SECRET_KEY`.',
  },
  CONTENT_DIR: { meaning: 'The folder with the content files.' },
  CONTENT_SYNC: {
    meaning:
      'Which content files each server syncs at startup, if several servers share a PostgreSQL database. See [Content files](../deploying.md#content-files).',
  },
  DATABASE_URL: {
    meaning: 'The SQLite file or the PostgreSQL database.',
    default: '`file:$DATA_DIR/signpost.db`',
  },
  DATABASE_POOL: {
    meaning:
      'The maximum number of PostgreSQL connections per server. Health checks use one more connection.',
  },
  FILE_STORE: {
    meaning:
      'The folder or S3-compatible bucket for visitors’ files and daily backups. On PostgreSQL, the folder or bucket also contains the releases, previews, and pictures that servers share.',
    default: '`file:$DATA_DIR`',
  },
  S3_ACCESS_KEY_ID: { meaning: 'The access key for the bucket in `FILE_STORE`.' },
  S3_SECRET_ACCESS_KEY: { meaning: 'The secret key for `S3_ACCESS_KEY_ID`.' },
  PUBLISH_TO: {
    meaning:
      'The bucket to which Signpost uploads the site, for a static host or CDN. See [Publishing](../publishing.md#buckets-and-cdns).',
  },
  PUBLISH_ACCESS_KEY_ID: {
    meaning: 'The access key for `PUBLISH_TO` and CloudFront.',
    default: '`S3_ACCESS_KEY_ID`',
  },
  PUBLISH_SECRET_ACCESS_KEY: {
    meaning: 'The secret key for `PUBLISH_ACCESS_KEY_ID`.',
    default: '`S3_SECRET_ACCESS_KEY`',
  },
  PURGE: { meaning: 'The CDN from which Signpost purges changed pages after each publish.' },
  PURGE_TOKEN: {
    meaning: 'The API token for `PURGE`, sent as `Fastly-Key` to Fastly and as a bearer token to other CDNs.',
  },
  INDEXNOW: {
    meaning: 'Whether to notify search engines of changes to the pages that they may list.',
    default: '`no`',
  },
  SECRET_KEY: {
    meaning:
      'The key that encrypts stored secrets and signs tokens. Keep a copy: backups don’t contain the key, and Signpost doesn’t start with a different key.',
    default: 'generated in `DATA_DIR` when the server first starts',
  },
  SECRET_KEY_PREVIOUS: {
    meaning:
      'The previous `SECRET_KEY`. It stays valid until you remove this variable. See [Security](../security.md#keys).',
  },
  TRUSTED_PROXIES: {
    meaning:
      'The proxies whose `X-Forwarded-For` or `Forwarded` header Signpost trusts. Without this variable, all visitors behind a proxy appear to have the proxy’s IP address.',
    default: 'none',
  },
  ADMIN_HOST: {
    meaning:
      'A separate host for the admin. On all other hosts, `/admin` returns 404. Point the host’s DNS record and your proxy at this server.',
  },
  ADMIN_ALLOW: {
    meaning:
      'The IP addresses that can open the admin. For all other addresses, `/admin` returns 404. Behind a proxy, also set `TRUSTED_PROXIES`.',
  },
  SECURITY_CONTACT: {
    meaning: 'The contact for security reports, published in `/.well-known/security.txt`.',
  },
  FORM_ORIGINS: { meaning: 'Other origins whose pages can show and submit forms.' },
  RATE_LIMIT: {
    meaning:
      'The maximum number of posts that each form accepts from one IP address or, for IPv6, from one /64 network.',
  },
  WEBHOOK_ALLOW: {
    meaning:
      'The private IP addresses that webhooks can reach. Unencrypted `http:` URLs work only for these addresses.',
  },
  WEBHOOK_RETRY_SCHEDULE: {
    meaning: 'The delay before each retry. If there are more retries than delays, the last delay repeats.',
  },
  WEBHOOK_TIMEOUT: { meaning: 'The timeout for each delivery attempt.' },
  SMTP_URL: {
    meaning: 'The mail server. Requires `MAIL_FROM`. Without a mail server, Signpost doesn’t send any email.',
  },
  MAIL_FROM: { meaning: 'The sender address for emails.' },
  BACKUP_KEEP: { meaning: 'The number of daily backups to keep.' },
  METRICS_PORT: { meaning: 'The port for [Prometheus metrics](http.md#metrics), on the loopback address.' },
  LOG_LEVEL: { meaning: 'The lowest severity of messages in the JSON log on stdout.' },
  LISTEN_FDS: { meaning: 'The number of listening sockets that systemd passes. Set by systemd.' },
  LISTEN_PID: { meaning: 'The ID of the process to which systemd passes the sockets. Set by systemd.' },
}
