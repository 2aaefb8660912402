import { isIPv6 } from 'node:net'

const ANY_ADDRESS = ['0.0.0.0', '::', '']

/**
 * Returns the origin for a browser on this machine: `http://127.0.0.1:4321`, `http://[::1]:4321`; localhost for any
 * address.
 */
export function listenOrigin({ host, port }: { host: string; port: number }): string {
  if (ANY_ADDRESS.includes(host)) return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** Returns whether a host name leads to this computer, so that nobody else can open it. */
export function isLocalHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
