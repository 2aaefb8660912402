import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

const REGION = 'eu-west-1'
const ACCESS_KEY = 'test-access-key'
const SECRET_KEY = 'test secret / of the bucket'
// Small, so that lists have several pages.
const KEYS_PER_PAGE = 3

interface StoredObject {
  bytes: Buffer
  writtenAt: Date
  headers?: IncomingMessage['headers']
}

/** An S3 service in this process with one bucket: signature version 4, PUT, GET, DELETE, and ListObjectsV2. */
export interface S3Server {
  /** The environment of a program that stores its files in the bucket. */
  environment: Record<string, string>
  /** What is stored, by key. */
  objects: Map<string, StoredObject>
  /** Method and path of each request, in order. */
  requests: string[]
  /** Answers every further request with this status; 0 hangs, undefined returns to normal. */
  failWith(status: number | undefined): void
}

/** Starts the service, which refuses requests with an invalid signature. */
export async function startS3(t: TestContext): Promise<S3Server> {
  const objects = new Map<string, StoredObject>()
  const requests: string[] = []
  let failure: number | undefined
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const bytes = await buffer(request)
    if (failure === 0) return
    if (failure !== undefined) return answer(response, failure, xml('Error', '<Code>InternalError</Code>'))
    if (!isSigned(request)) return answer(response, 403, xml('Error', '<Code>SignatureDoesNotMatch</Code>'))
    const url = new URL(request.url ?? '', 'http://bucket')
    const [, bucket, ...rest] = url.pathname.split('/')
    if (bucket !== 'files') return answer(response, 404, xml('Error', '<Code>NoSuchBucket</Code>'))
    const key = rest.map(decodeURIComponent).join('/')
    if (key === '') return answer(response, 200, listObjects(objects, url.searchParams))
    serveObject(objects, { method: request.method, key, bytes, headers: request.headers }, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    objects,
    requests,
    environment: {
      FILE_STORE: `s3://files/one/site?endpoint=${endpoint}&region=${REGION}`,
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    failWith(status) {
      failure = status
      if (status !== 0) server.closeAllConnections()
    },
  }
}

function serveObject(
  objects: S3Server['objects'],
  {
    method,
    key,
    ...sent
  }: { method: string | undefined; key: string; bytes: Buffer; headers: IncomingMessage['headers'] },
  response: ServerResponse,
) {
  const found = objects.get(key)
  if (method === 'PUT') objects.set(key, { ...sent, writtenAt: new Date() })
  if (method === 'DELETE') objects.delete(key)
  if (method === 'DELETE') return answer(response, 204, '')
  if (method === 'PUT') return answer(response, 200, '')
  if (!found) return answer(response, 404, xml('Error', '<Code>NoSuchKey</Code>'))
  response.writeHead(200, { 'content-length': found.bytes.length }).end(found.bytes)
}

function listObjects(objects: S3Server['objects'], query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, KEYS_PER_PAGE)
  const contents = page.map((key) => {
    const { bytes, writtenAt } = objects.get(key) as StoredObject
    const when = writtenAt.toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${when}</LastModified><Size>${bytes.length}</Size><ETag>&quot;${createHash('md5').update(bytes).digest('hex')}&quot;</ETag></Contents>`
  })
  const next =
    keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return xml('ListBucketResult', contents.join('') + next)
}

function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}<RequestId>${randomUUID()}</RequestId></${name}>`
}

function answer(response: ServerResponse, status: number, body: string) {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}

// Computes signature version 4 of a received request, following Amazon's guide.
function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const sent = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
    headers.authorization ?? '',
  )
  const [, credential = '', names = '', signature = ''] = sent ?? []
  const [accessKey, ...scope] = credential.split('/')
  const { pathname, searchParams } = new URL(url ?? '', 'http://bucket')
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const request = [method, pathname, query, lines.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const hash = createHash('sha256').update(request).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), hash].join('\n')
  const key = scope.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${SECRET_KEY}`)
  return accessKey === ACCESS_KEY && hmac(key, text).toString('hex') === signature
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
