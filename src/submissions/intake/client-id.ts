import { randomUUID } from 'node:crypto'

/** Makes a UUID version 7. It starts with the time, so that new ones are next to each other in the index. */
export function newClientId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
