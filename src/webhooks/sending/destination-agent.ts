import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { attemptFailures } from '../../messages/admin/webhooks/destinations.ts'
import { ConnectionFailure, connectFailureKind } from './attempt-failure.ts'
import type { DestinationPolicy } from './destination-address.ts'
import { limitAnswer, MAX_ANSWER_BYTES } from './limit-answer.ts'
import { skipInterimAnswers } from './skip-interim-answers.ts'

/** All addresses of a host name. Rejects when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

interface AgentOptions {
  policy: DestinationPolicy
  /** The system's resolver unless given. */
  resolve?: Resolve | undefined
  timeoutMs: number
}

/**
 * An HTTP/1.1 agent that connects only where the policy permits. undici's own `connect.lookup` is not called for IP
 * literals; so the literal, every address that was looked up, and the address of the open socket are checked here.
 */
export function createDestinationAgent({
  policy,
  resolve = resolveBySystem,
  timeoutMs,
}: AgentOptions): Agent {
  const connect: buildConnector.connector = (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    const fail = (error: unknown) => callback(toConnectionFailure(error), null)
    const deadline = performance.now() + timeoutMs
    within(timeoutMs, findAddresses(options.hostname, resolve))
      .then((addresses) => {
        checkAddresses(addresses, { policy, port, protocol: options.protocol })
        openSocket(addresses, deadline - performance.now(), options, (error, socket) => {
          if (error) fail(error)
          else handOver(socket, { policy, port }, callback)
        })
      })
      .catch(fail)
  }
  // The deadline of the whole attempt is the caller's; these two only measure idle time.
  const idleTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
  return new Agent({ connect, allowH2: false, maxHeaderSize: MAX_ANSWER_BYTES, ...idleTimeouts })
}

async function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new ConnectionFailure('timeout', attemptFailures.nameTooSlow)),
    timeoutMs,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true })
  return answers.map(({ address }) => address)
}

async function findAddresses(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) return [literal]
  try {
    const addresses = await resolve(hostname)
    if (addresses.length > 0) return addresses
  } catch (error) {
    throw new ConnectionFailure('dns', attemptFailures.noAddress(hostname, messageOf(error)), {
      cause: error,
    })
  }
  throw new ConnectionFailure('dns', attemptFailures.noAddress(hostname))
}

// One refused address among several refuses all: which of them would be used is up to the receiver's name server.
function checkAddresses(
  addresses: readonly string[],
  { policy, port, protocol }: { policy: DestinationPolicy; port: number; protocol: string },
) {
  for (const address of addresses) {
    if (!policy.permits(address, port)) throw blocked(address)
    if (protocol !== 'https:' && !policy.isAllowListed(address, port)) {
      throw new ConnectionFailure('blocked_address', attemptFailures.needsHttps(address))
    }
  }
}

// The connector gets the checked addresses as its resolver: the name is not looked up a second time.
function openSocket(
  addresses: readonly string[],
  timeoutMs: number,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  const pinnedLookup: LookupFunction = (_hostname, { all }, done) => {
    if (all) done(null, answers)
    else done(null, answers[0]?.address ?? '', answers[0]?.family ?? 0)
  }
  buildConnector({ lookup: pinnedLookup, allowH2: false, timeout: Math.max(timeoutMs, 1) })(options, callback)
}

function handOver(
  socket: Socket,
  { policy, port }: { policy: DestinationPolicy; port: number },
  callback: buildConnector.Callback,
) {
  const address = socket.remoteAddress
  if (address !== undefined && policy.permits(address, port)) {
    limitAnswer(socket)
    skipInterimAnswers(socket)
    return callback(null, socket)
  }
  socket.destroy()
  callback(
    address === undefined ? new ConnectionFailure('reset', attemptFailures.closedAtOnce) : blocked(address),
    null,
  )
}

function blocked(address: string) {
  return new ConnectionFailure('blocked_address', attemptFailures.blocked(address))
}

function toConnectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  return new ConnectionFailure(connectFailureKind(cause), messageOf(cause), { cause })
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
