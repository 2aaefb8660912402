import { subscribe } from 'node:diagnostics_channel'

/** Number of requests so far on each socket of `fetch`. */
const carried = new WeakMap<object, number>()
const firstOnSocket = new WeakSet<object>()
const unaccepted = new WeakSet<object>()

// The shapes are undici's; if one changes, a reset still counts as a reset.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: object }
  const count = (carried.get(socket) ?? 0) + 1
  carried.set(socket, count)
  if (count === 1) firstOnSocket.add(request)
})
subscribe('undici:request:error', (message) => {
  const { request, error } = message as { request: object; error: NodeJS.ErrnoException | undefined }
  // A request that was aborted can have any reason.
  if (!(error instanceof Error)) return
  if (error.syscall === 'connect' || firstOnSocket.has(request)) unaccepted.add(error)
})

/**
 * Returns true if a failed `fetch` was the first on its connection. When a listener closes, the kernel resets new
 * connections that haven't been accepted, which no program can prevent; to a client, that is a refused connection.
 */
export function wasNewConnection(error: Error): boolean {
  return unaccepted.has(error)
}
