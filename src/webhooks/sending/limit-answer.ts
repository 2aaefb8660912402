import type { Socket } from 'node:net'
import { attemptFailures } from '../../messages/admin/webhooks/destinations.ts'
import { ConnectionFailure } from './attempt-failure.ts'

/** Maximum number of bytes read from an answer. */
export const MAX_ANSWER_BYTES = 16 * 1024

/**
 * Closes a connection whose response is larger than that in any way: endless 1xx responses, chunk extensions, and
 * trailers never reach the reader of the body. Call it before anything reads.
 */
export function limitAnswer(socket: Socket): void {
  let written = 0
  let answeredFrom = 0
  let read = 0
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) answeredFrom = read
    written = socket.bytesWritten
    // Data before this event was read and was not the end: the connection of an answer with a long body is closed then.
    if (read - answeredFrom > MAX_ANSWER_BYTES)
      socket.destroy(new ConnectionFailure('too_large', attemptFailures.answerTooLarge(MAX_ANSWER_BYTES)))
    read = socket.bytesRead
  })
}
