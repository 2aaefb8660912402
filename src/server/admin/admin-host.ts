import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../config.ts'
import { hasExtension } from '../../site/own-pages/own-page.ts'
import { isHost } from './admin-access.ts'
import { isAdminPath } from './admin-endpoint.ts'

/**
 * Redirects visits of public pages from the admin's host to the site; returns whether it did. Files stay on both hosts
 * because previews show them.
 */
export function createWayToSite({ adminHost, siteUrl }: Pick<Config, 'adminHost' | 'siteUrl'>) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (adminHost === undefined || !isHost(request, adminHost) || !isPageVisit(request)) return false
    const { url = '/' } = request
    const location = /^\/(?:\?|$)/.test(url) ? '/admin' : siteUrl + url
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end()
    return true
  }
}

function isPageVisit({ method, url = '/' }: IncomingMessage): boolean {
  const [path = '/'] = url.split('?')
  const isPage = path !== '/health' && !hasExtension(path)
  return (method === 'GET' || method === 'HEAD') && isPage && !isAdminPath(url)
}
