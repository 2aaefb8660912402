import type { Socket } from 'node:net'
import { ConnectionFailure } from './attempt-failure.ts'

/**
 * Closes a connection over which an answer brings more than `maxBytes`, whatever they are: endless 1xx answers, chunk
 * extensions and trailers never come to whoever reads the body. To be called before anybody reads.
 */
export function limitAnswer(socket: Socket, maxBytes: number): void {
  let written = 0
  let answeredFrom = 0
  let read = 0
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) answeredFrom = read
    written = socket.bytesWritten
    // What came before this event was read and was not the end: an answer whose body is long enough is hung up on then.
    if (read - answeredFrom > maxBytes)
      socket.destroy(new ConnectionFailure('too_large', `the answer has more than ${maxBytes} bytes`))
    read = socket.bytesRead
  })
}
