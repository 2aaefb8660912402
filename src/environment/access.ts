import { isIP } from 'node:net'
import { z } from 'zod'

/** Parts between commas, without the space around them. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

export const trustedProxies = z
  .union([
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
    list.refine((ranges) => ranges.every(isRange)),
  ])
  .describe('a number of proxies such as 1, or their CIDRs separated by commas, such as 10.0.0.0/8')

export const adminHost = z
  .string()
  .toLowerCase()
  // As browsers name it: in ASCII, and without the default port of at least one scheme.
  .refine((text) => URL.parse(`http://${text}`)?.host === text || URL.parse(`https://${text}`)?.host === text)
  .describe(
    'a host such as admin.example.com, other than the host of SITE_URL, with a port if it isn’t the default',
  )

export const adminAllow = list
  .refine((ranges) => ranges.every(isRange))
  .describe('addresses or CIDRs separated by commas, such as 203.0.113.7,10.0.0.0/8')

export const securityContact = z
  .union([
    z.email().transform((address) => `mailto:${address}`),
    z.url({ protocol: /^https$/ }).regex(/^\S+$/),
  ])
  .describe('an email address, or the https URL of a page about reporting vulnerabilities')

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
