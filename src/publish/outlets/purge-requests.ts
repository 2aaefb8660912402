import { randomUUID } from 'node:crypto'

/** A request that announces changed addresses. */
export interface NoticeRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  /** Signed for Amazon with the keys of the public bucket. */
  isSigned?: boolean
}

/** Builds a request for some addresses, at most `most`. */
export interface NoticeWay {
  most: number
  build(addresses: readonly string[]): NoticeRequest
}

/** Origins of the services, replaced in tests. */
export interface ServiceOrigins {
  cloudflare: string
  cloudfront: string
  fastly: string
  indexNow: string
}

export const SERVICE_ORIGINS: ServiceOrigins = {
  cloudflare: 'https://api.cloudflare.com',
  cloudfront: 'https://cloudfront.amazonaws.com',
  fastly: 'https://api.fastly.com',
  indexNow: 'https://api.indexnow.org',
}

type Purge =
  | { kind: 'cloudflare'; zone: string }
  | { kind: 'cloudfront'; distribution: string }
  | { kind: 'fastly' }
  | { kind: 'request'; url: string }

const JSON_BODY = { 'content-type': 'application/json' }

/** Returns the requests that purge addresses from a CDN. */
export function purgeWayOf(
  purge: Purge,
  { token, origins }: { token: string | undefined; origins: ServiceOrigins },
): NoticeWay {
  const bearer: Record<string, string> =
    token === undefined ? {} : { authorization: ['Bearer', token].join(' ') }
  switch (purge.kind) {
    // https://developers.cloudflare.com/api/resources/cache/methods/purge
    case 'cloudflare':
      return {
        most: 30,
        build: (files) => ({
          url: `${origins.cloudflare}/client/v4/zones/${purge.zone}/purge_cache`,
          method: 'POST',
          headers: { ...JSON_BODY, ...bearer },
          body: JSON.stringify({ files }),
        }),
      }
    // https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html
    case 'cloudfront':
      return {
        most: 1_000,
        build: (addresses) => ({
          url: `${origins.cloudfront}/2020-05-31/distribution/${purge.distribution}/invalidation`,
          method: 'POST',
          headers: { 'content-type': 'application/xml' },
          body: invalidationOf(addresses),
          isSigned: true,
        }),
      }
    // https://www.fastly.com/documentation/reference/api/purging
    case 'fastly':
      return {
        most: 1,
        build: ([address = '']) => ({
          url: `${origins.fastly}/purge/${address.replace(/^https?:\/\//, '')}`,
          method: 'POST',
          headers: token === undefined ? {} : { 'fastly-key': token },
        }),
      }
    case 'request':
      return requestWay(purge.url, bearer)
  }
}

function requestWay(template: string, bearer: Record<string, string>): NoticeWay {
  if (template.includes('{url}'))
    return {
      most: 1,
      build: ([address = '']) => ({
        url: template.replaceAll('{url}', encodeURIComponent(address)),
        method: 'POST',
        headers: bearer,
      }),
    }
  return {
    most: 100,
    build: (urls) => ({
      url: template,
      method: 'POST',
      headers: { ...JSON_BODY, ...bearer },
      body: JSON.stringify({ urls }),
    }),
  }
}

function invalidationOf(addresses: readonly string[]): string {
  const paths = addresses.map((address) => `<Path>${escapeXml(new URL(address).pathname)}</Path>`)
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><CallerReference>${randomUUID()}</CallerReference><Paths><Quantity>${paths.length}</Quantity><Items>${paths.join('')}</Items></Paths></InvalidationBatch>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Returns the requests that announce changed pages to search engines: https://www.indexnow.org/documentation. */
export function indexNowWay({
  key,
  siteUrl,
  origins,
}: {
  key: string
  siteUrl: string
  origins: ServiceOrigins
}): NoticeWay {
  const { host } = new URL(siteUrl)
  return {
    most: 10_000,
    build: (urlList) => ({
      url: `${origins.indexNow}/indexnow`,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ host, key, keyLocation: `${siteUrl}/${key}.txt`, urlList }),
    }),
  }
}
