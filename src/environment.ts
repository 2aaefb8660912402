import { z } from 'zod'
import { adminAllow, adminHost, list, securityContact, trustedProxies } from './environment/access.ts'
import { attemptDeadline, durations, rateLimit } from './environment/durations.ts'
import { fileStore, hasKey } from './environment/file-place.ts'
import { hasPublicKeys, hasPurgeToken, outletVariables } from './environment/outlets.ts'
import { isReplaced, previousSecretKey, secretKey } from './secret-keys/key-variable.ts'
import { createDestinationPolicy } from './webhooks/sending/destination-address.ts'

const PERCENT_RULE = 'with # / ? @ and % in the password encoded as %23 %2F %3F %40 %25'
const NEVER_SHOWN = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'DATABASE_URL',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
  'PUBLISH_SECRET_ACCESS_KEY',
  'PURGE',
  'PURGE_TOKEN',
]
// The part before an @ may be a password.
const SHOWN_AFTER_AT = ['SITE_URL', 'FORM_ORIGINS']

const numberFrom = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((number) => number >= least && number <= most)

const port = numberFrom(0, 65_535).describe('a port number from 0 (any free port) to 65535')

const origin = z
  .string()
  .transform((text) => URL.parse(text))
  .refine(
    (url) =>
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      // A pattern never equals the origin of a page, and nothing would report it.
      !url.host.includes('*') &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !(url.username + url.password),
  )
  .transform((url) => (url as URL).origin)
  .describe('an origin such as https://www.example.com, without a path, user name, or password')

const databaseUrl = z
  .string()
  .regex(/^(file:.+|postgres(ql)?:\/\/.+)$/)
  .refine((text) => text.startsWith('file:') || isServerAddress(text))
  .describe(`file:PATH or postgres://…, ${PERCENT_RULE}`)

const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\/[^\s/]+/)
  .refine(isServerAddress)
  .describe(`smtp://USER:PASSWORD@HOST:PORT, or smtps://…, ${PERCENT_RULE}`)

const webhookAllow = list
  .refine(isDestinations)
  .describe('CIDRs separated by commas, each with or without a port, such as 127.0.0.0/8 or 10.0.0.5:8080')

const ENVIRONMENT = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('an IP address or a host name'),
  PORT: port.default(4321),
  SITE_URL: origin.optional(),
  /** The only host that serves the admin; without it, every host of the site does. */
  ADMIN_HOST: adminHost.optional(),
  /** CIDRs of the clients that may reach the admin; empty for all. */
  ADMIN_ALLOW: adminAllow.default([]),
  /** The address for reports in security.txt: `mailto:` or `https:`. */
  SECURITY_CONTACT: securityContact.optional(),
  DATA_DIR: z.string().min(1).default('data').describe('a folder'),
  DATABASE_URL: databaseUrl.optional(),
  /** Place of visitors' files and pictures; `DATA_DIR` by default. */
  FILE_STORE: fileStore.optional(),
  ...outletVariables,
  CONTENT_DIR: z.string().min(1).default('content').describe('a folder'),
  /** The server that syncs content files when it starts: any, this one, or another one. */
  CONTENT_SYNC: z
    .enum(['new', 'all', 'off'])
    .default('new')
    .describe(
      'new (changes since this server’s last sync), all (all of this server’s files), or off (no sync at startup)',
    ),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: previousSecretKey.optional(),
  /** The number of proxies in front, or their CIDRs. */
  TRUSTED_PROXIES: trustedProxies.default(0),
  /** Limits on posts per client address and form; empty for none. */
  RATE_LIMIT: rateLimit.prefault('20/min,300/h'),
  /** Mail is sent only with MAIL_FROM too. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:"[^"\r\n]*" ?|[^"<>,;:\r\n]*)<[^\s<>@,;]+@[^\s<>@,;]+>$|^[^\s<>@,;]+@[^\s<>@,;]+$/)
    .optional()
    .describe('the sender, such as forms@example.com or Example <forms@example.com>'),
  /** Other origins whose pages may read and send forms. */
  FORM_ORIGINS: list
    .pipe(z.array(origin))
    .default([])
    .describe('origins separated by commas, such as https://www.example.com'),
  WEBHOOK_ALLOW: webhookAllow.default([]),
  /** In milliseconds. */
  WEBHOOK_RETRY_SCHEDULE: durations.prefault('5s,5m,30m,2h,8h,24h'),
  /** In milliseconds. */
  WEBHOOK_TIMEOUT: attemptDeadline.prefault('15s'),
  BACKUP_KEEP: numberFrom(0, 365).default(7).describe('a number from 0 (no backups) to 365'),
  DATABASE_POOL: numberFrom(5, 500).default(10).describe('a number from 5 to 500'),
  /** The port of the Prometheus metrics, on the loopback address. */
  METRICS_PORT: port.optional(),
  // systemd sets both when it passes open sockets to a process.
  LISTEN_FDS: z.literal('1').optional().describe('1, for one socket'),
  LISTEN_PID: z.string().optional().describe('a process ID'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('trace, debug, info, warn, error, or silent'),
})

const REQUIRED_TOGETHER = ENVIRONMENT.refine((env) => !env.SMTP_URL || env.MAIL_FROM, {
  path: ['MAIL_FROM'],
})
  .refine(hasAdminHostOfItsOwn, { path: ['ADMIN_HOST'] })
  .refine(hasKey('S3_ACCESS_KEY_ID'), { path: ['S3_ACCESS_KEY_ID'] })
  .refine(hasKey('S3_SECRET_ACCESS_KEY'), { path: ['S3_SECRET_ACCESS_KEY'] })
  .refine(hasPublicKeys, { path: ['PUBLISH_ACCESS_KEY_ID'] })
  .refine(hasPurgeToken, { path: ['PURGE_TOKEN'] })
  .refine(isReplaced, { path: ['SECRET_KEY_PREVIOUS'] })

/**
 * Checks every variable of contract §2 at once, without the spaces around it. Throws one error that names each wrong
 * one and what it may be; values that are secrets are not shown.
 */
export function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const given = trimmed(environment)
  const result = REQUIRED_TOGETHER.safeParse(given)
  if (result.success) return result.data
  const names = new Set(result.error.issues.map((issue) => String(issue.path[0])))
  throw new Error([...names].map((name) => describeWrongVariable(name, given)).join('\n'))
}

/** Returns true if the program reads this variable. */
export function isVariable(name: string): boolean {
  return name in ENVIRONMENT.shape
}

/** Every variable with what it may be; `default` is undefined when there is none, or it follows from another variable. */
export function listVariables(): { name: string; accepted: string; default: unknown }[] {
  return Object.entries(ENVIRONMENT.shape).map(([name, schema]) => ({
    name,
    accepted: schema.description ?? descriptionInside(schema),
    default: defaultOf(schema),
  }))
}

// An empty list is none.
function defaultOf({ def }: z.ZodType): unknown {
  const value = 'defaultValue' in def ? def.defaultValue : undefined
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

// `PORT=` in a .env file means "not set", as a person expects, and so does one of spaces. Spaces around a value come
// from files that keep them, such as Docker's.
function trimmed(environment: NodeJS.ProcessEnv): Record<string, string> {
  const values = Object.entries(environment).map(([name, value]) => [name, value?.trim()])
  return Object.fromEntries(values.filter(([, value]) => value))
}

function describeWrongVariable(name: string, environment: Readonly<Record<string, string>>): string {
  const field = ENVIRONMENT.shape[name as keyof typeof ENVIRONMENT.shape]
  const expected = field.description ?? descriptionInside(field)
  return `${name} is ${shownValue(name, environment[name])}; expected ${expected}`
}

function shownValue(name: string, value: string | undefined): string {
  if (!value) return 'missing'
  if (NEVER_SHOWN.includes(name)) return 'not usable'
  return `"${SHOWN_AFTER_AT.includes(name) ? value.replace(/^.*@/s, '…@') : value}"`
}

function descriptionInside(field: z.ZodType): string {
  const inner = 'unwrap' in field ? (field as z.ZodOptional<z.ZodType>).unwrap() : field
  return inner.description ?? 'another value'
}

// With a user and a password that can be read.
function isServerAddress(text: string): boolean {
  const url = URL.parse(text)
  try {
    return url !== null && decodeURIComponent(url.username + url.password) !== undefined
  } catch {
    return false
  }
}

// As browsers name it at the scheme of the site: none of them sends a port that is the default.
function hasAdminHostOfItsOwn({ ADMIN_HOST: host, SITE_URL, PORT }: z.output<typeof ENVIRONMENT>): boolean {
  const site = URL.parse(SITE_URL ?? `http://localhost:${PORT}`)
  // A wrong SITE_URL or PORT is reported itself.
  if (!host || !site) return true
  return host !== site.host && URL.parse(`${site.protocol}//${host}`)?.host === host
}

function isDestinations(allow: readonly string[]): boolean {
  try {
    return createDestinationPolicy(allow) !== undefined
  } catch {
    return false
  }
}
