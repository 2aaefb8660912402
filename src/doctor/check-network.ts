import { lookup } from 'node:dns/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const ANSWER_WITHIN_MS = 5_000
const CLOCK_TOLERANCE_SECONDS = 30

/** Whether visitors find the name of `SITE_URL`, and whether https stands in front of it. */
export async function checkSiteAddress({ siteUrl, trustedProxies }: Config): Promise<Finding> {
  const { hostname, protocol } = new URL(siteUrl)
  if (isLocal(hostname)) return warning('SITE_URL', `${siteUrl} is this machine: set it before visitors come`)
  const address = await lookup(hostname).catch(() => undefined)
  if (!address) return failed('SITE_URL', `${hostname} has no address in DNS: add an A or AAAA record`)
  if (protocol !== 'https:')
    return warning('SITE_URL', `${siteUrl} is not https: put a proxy with a certificate in front`)
  if (trustedProxies === 0)
    return warning(
      'SITE_URL',
      'https means a proxy in front: set TRUSTED_PROXIES, or all visitors count as one',
    )
  return ok('SITE_URL', `${hostname} leads to ${address.address}`)
}

/** Whether browsers find the host of the admin, and whether the program sees the addresses that it compares. */
export async function checkAdminAddress(config: Config): Promise<Finding> {
  const { adminHost, adminUrl, adminAllow, siteUrl, trustedProxies } = config
  const { hostname } = new URL(adminUrl)
  if (adminHost !== undefined && !isLocal(hostname) && !(await lookup(hostname).catch(() => undefined)))
    return failed('Admin', `${hostname} has no address in DNS: add an A or AAAA record, or unset ADMIN_HOST`)
  if (adminAllow.length > 0 && siteUrl.startsWith('https:') && trustedProxies === 0)
    return failed(
      'Admin',
      'ADMIN_ALLOW compares the address of the proxy: set TRUSTED_PROXIES, so that it compares those of clients',
    )
  const clients =
    adminAllow.length > 0
      ? `is open to ${adminAllow.join(', ')} only`
      : 'is open to every address; ADMIN_ALLOW limits it'
  return ok('Admin', `${adminUrl}/admin ${clients}`)
}

/** Whether the program answers on its port, and whether its clock agrees with the site's. */
export async function checkServer({ host, port }: Config): Promise<Finding> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health`
  const answer = await fetchWithin(url)
  if (!answer) return ok('Server', `nothing listens on ${host}:${port}; npm start will`)
  const health = await answer.json().catch(() => undefined)
  if (health?.status === 'ok') return ok('Server', `running, release ${health.release}`)
  if (health?.release) return failed('Server', 'running, but it cannot read its database: see Database above')
  if (health?.status) return warning('Server', 'running, without a release yet: see its log')
  return failed('Server', `another program uses ${host}:${port}: stop it, or set PORT to another`)
}

/** Signatures carry the time, and receivers refuse them when the clock is minutes off. */
export async function checkClock({ siteUrl }: Config, now = Date.now): Promise<Finding> {
  if (isLocal(new URL(siteUrl).hostname))
    return ok('Clock', `${new Date(now()).toISOString()}, compared with nothing`)
  const date = (await fetchWithin(siteUrl))?.headers.get('date')
  if (!date) return warning('Clock', `${siteUrl} does not answer: nothing to compare the clock with`)
  const seconds = Math.abs(Date.parse(date) - now()) / 1_000
  if (seconds <= CLOCK_TOLERANCE_SECONDS) return ok('Clock', `agrees with ${siteUrl}`)
  return warning(
    'Clock',
    `${Math.round(seconds)} s from that of ${siteUrl}: switch time synchronisation on (timedatectl)`,
  )
}

/** Whether the mail server takes our sign-in. */
export async function checkMail({ smtpUrl }: Config): Promise<Finding> {
  if (!smtpUrl) return warning('Mail', 'SMTP_URL is not set: notification mails are not sent')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
  })
  try {
    await transport.verify()
    return ok('Mail', `${new URL(smtpUrl).host} takes our mail`)
  } catch (error) {
    return failed('Mail', `${new URL(smtpUrl).host}: ${(error as Error).message}. Check SMTP_URL`)
  } finally {
    transport.close()
  }
}

function isLocal(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function fetchWithin(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'manual' }).catch(
    () => undefined,
  )
}
