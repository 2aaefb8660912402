import { lookup } from 'node:dns/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { isLocalHost } from '../lib/listen-origin.ts'
import { hideSignIn } from '../notifications/hide-sign-in.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const ANSWER_WITHIN_MS = 5_000
const CLOCK_TOLERANCE_SECONDS = 30

/** Returns whether visitors find the name of `SITE_URL`, and whether https is in front of it. */
export async function checkSiteAddress({ siteUrl, trustedProxies }: Config): Promise<Finding> {
  const name = 'siteUrl'
  const { hostname, protocol } = new URL(siteUrl)
  if (isLocalHost(hostname)) return warning(name, 'local', siteUrl)
  const address = await lookup(hostname).catch(() => undefined)
  if (!address) return failed(name, 'noAddress', hostname)
  if (protocol !== 'https:') return warning(name, 'notHttps', siteUrl)
  if (trustedProxies === 0) return warning(name, 'noTrustedProxies')
  return ok(name, 'resolves', hostname, address.address)
}

/** Returns whether browsers find the host of the admin, and whether the program sees the addresses that it compares. */
export async function checkAdminAddress(config: Config): Promise<Finding> {
  const { adminHost, adminUrl, adminAllow, siteUrl, trustedProxies } = config
  const { hostname } = new URL(adminUrl)
  if (adminHost !== undefined && !isLocalHost(hostname) && !(await lookup(hostname).catch(() => undefined)))
    return failed('admin', 'noAdminAddress', hostname)
  if (adminAllow.length > 0 && siteUrl.startsWith('https:') && trustedProxies === 0)
    return failed('admin', 'adminAllowsProxy')
  if (adminAllow.length === 0) return ok('admin', 'adminOpen', adminUrl)
  return ok('admin', 'adminLimited', adminUrl, adminAllow.join(', '))
}

/** Returns whether the program answers on its port, and whether its clock agrees with the site's. */
export async function checkServer({ host, port }: Config): Promise<Finding> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health`
  const answer = await fetchWithin(url)
  const name = 'server'
  if (!answer) return ok(name, 'notListening', `${host}:${port}`)
  const health = await answer.json().catch(() => undefined)
  if (health?.status === 'ok') return ok(name, 'running', health.release)
  if (health?.release) return failed(name, 'noDatabase')
  if (health?.status) return warning(name, 'noRelease')
  return failed(name, 'otherProgram', `${host}:${port}`)
}

/** Signatures carry the time, and receivers refuse them when the clock is minutes off. */
export async function checkClock({ siteUrl }: Config, now = Date.now): Promise<Finding> {
  const name = 'clock'
  if (isLocalHost(new URL(siteUrl).hostname)) return ok(name, 'clockAlone', new Date(now()).toISOString())
  const date = (await fetchWithin(siteUrl))?.headers.get('date')
  if (!date) return warning(name, 'clockUnknown', siteUrl)
  const seconds = Math.abs(Date.parse(date) - now()) / 1_000
  if (seconds <= CLOCK_TOLERANCE_SECONDS) return ok(name, 'clockAgrees', siteUrl)
  return warning(name, 'clockOff', Math.round(seconds), siteUrl)
}

/** Returns whether the mail server takes our sign-in. */
export async function checkMail({ smtpUrl }: Config): Promise<Finding> {
  const name = 'mail'
  if (!smtpUrl) return warning(name, 'mailOff')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
  })
  try {
    await transport.verify()
    return ok(name, 'mailReady', new URL(smtpUrl).host)
  } catch (error) {
    return failed(name, 'mailFails', new URL(smtpUrl).host, hideSignIn(smtpUrl)((error as Error).message))
  } finally {
    transport.close()
  }
}

async function fetchWithin(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'manual' }).catch(
    () => undefined,
  )
}
