import { subscribe } from 'node:diagnostics_channel'

/** Requests that each socket of `fetch` carried so far. */
const carried = new WeakMap<object, number>()
const firstOnSocket = new WeakSet<object>()
const unaccepted = new WeakSet<object>()

// The shapes are undici's; what is missing leaves a reset what it is.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: object }
  const count = (carried.get(socket) ?? 0) + 1
  carried.set(socket, count)
  if (count === 1) firstOnSocket.add(request)
})
subscribe('undici:request:error', (message) => {
  const { request, error } = message as { request: object; error: NodeJS.ErrnoException }
  if (error.syscall === 'connect' || firstOnSocket.has(request)) unaccepted.add(error)
})

/**
 * Returns true if a failed `fetch` was the first on its own connection. The kernel resets new connections that wait to be
 * accepted when a listener closes, which no program can prevent: to a client that is a refusal.
 */
export function wasNewConnection(error: Error): boolean {
  return unaccepted.has(error)
}
