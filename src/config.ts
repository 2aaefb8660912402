import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnvironment } from './environment.ts'
import { fixedRing, type KeyRing } from './lib/key-ring.ts'
import { makeFolder } from './lib/make-folder.ts'
import { openFileRing } from './secret-keys/file-ring.ts'
import { SECRET_KEY_BYTES } from './secret-keys/key-variable.ts'
import { makeSecretKey } from './secret-keys/make-secret-key.ts'

/** SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST_PASSED_FD = 3

export interface Config {
  host: string
  port: number
  /** The listening socket that systemd opened for this process; undefined when the server opens its own. */
  listenFd: number | undefined
  /** Public origin without a trailing slash, such as `https://www.example.com`. */
  siteUrl: string
  /** The one host that answers for the admin, such as `admin.example.com`; undefined when every own host does. */
  adminHost: string | undefined
  /** Origin of the admin without a trailing slash: `siteUrl` unless it has a host of its own. */
  adminUrl: string
  /** CIDRs of the clients that may reach the admin; empty when all may. */
  adminAllow: string[]
  /** Where security.txt sends reports: a `mailto:` or `https:` address; undefined when there is none. */
  securityContact: string | undefined
  dataDir: string
  databaseUrl: string
  /** How many connections to PostgreSQL a server holds at most. */
  databasePool: number
  contentDir: string
  secretKeys: KeyRing
  /** Where the keys are kept; undefined when they come from the environment. */
  secretKeyFile: string | undefined
  /** How many proxies stand in front, or the CIDRs they are in. */
  trustedProxies: number | string[]
  /** Accepted posts per client address and form; empty when there is no limit. */
  rateLimits: { count: number; windowMs: number }[]
  /** Both, or no mail is sent. */
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** Origins beside our own whose pages may read and post forms. */
  formOrigins: string[]
  webhookAllow: string[]
  retryScheduleMs: number[]
  webhookTimeoutMs: number
  /** Where Prometheus finds its metrics, on the loopback address; undefined when nobody asks. */
  metricsPort: number | undefined
  /** How many daily backups are kept; 0 when none are made. */
  backupKeep: number
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/**
 * Reads the environment once (contract §2), with a `.env` file of the current folder behind it, makes `DATA_DIR` and,
 * on first use, the secret key in it; what is read-only makes neither, and has a key of its own where there is none. Throws
 * one error that names every wrong variable and what it may be.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = environmentWithFile(),
  { isReadOnly = false } = {},
): Config {
  const env = parseEnvironment(environment)
  const dataDir = resolve(env.DATA_DIR)
  const keyFile = join(dataDir, 'secret.key')
  if (!isReadOnly) prepareFolder(dataDir)
  if (!isReadOnly && !env.SECRET_KEY) makeSecretKey(keyFile)
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`
  return {
    host: env.HOST,
    port: env.PORT,
    listenFd: env.LISTEN_FDS && env.LISTEN_PID === String(process.pid) ? FIRST_PASSED_FD : undefined,
    siteUrl,
    adminHost: env.ADMIN_HOST,
    adminUrl: env.ADMIN_HOST ? `${new URL(siteUrl).protocol}//${env.ADMIN_HOST}` : siteUrl,
    adminAllow: env.ADMIN_ALLOW,
    securityContact: env.SECURITY_CONTACT,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? `file:${join(dataDir, 'signpost.db')}`,
    databasePool: env.DATABASE_POOL,
    contentDir: resolve(env.CONTENT_DIR),
    secretKeys: openRing(env, keyFile),
    secretKeyFile: env.SECRET_KEY ? undefined : keyFile,
    trustedProxies: env.TRUSTED_PROXIES,
    rateLimits: env.RATE_LIMIT,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    formOrigins: env.FORM_ORIGINS,
    webhookAllow: env.WEBHOOK_ALLOW,
    retryScheduleMs: env.WEBHOOK_RETRY_SCHEDULE,
    webhookTimeoutMs: env.WEBHOOK_TIMEOUT,
    metricsPort: env.METRICS_PORT,
    backupKeep: env.BACKUP_KEEP,
    logLevel: env.LOG_LEVEL,
  }
}

// What is set already wins over the file.
function environmentWithFile() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

function prepareFolder(dataDir: string) {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `DATA_DIR is ${dataDir}, where nothing can be written (${code}); expected a folder that this user may write to`,
    )
  }
}

function openRing(
  {
    SECRET_KEY: key,
    SECRET_KEY_PREVIOUS: previous,
  }: Pick<ReturnType<typeof parseEnvironment>, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>,
  keyFile: string,
): KeyRing {
  if (key) return fixedRing(...(previous ? [key, previous] : [key]))
  return existsSync(keyFile) ? openFileRing(keyFile) : fixedRing(randomBytes(SECRET_KEY_BYTES))
}
