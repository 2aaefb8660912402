import { createHash } from 'node:crypto'

interface Issued {
  algorithm: string
  challenge: string
  salt: string
  signature: string
}

/** Does what a browser does: tries numbers until one fits. */
export function solve({ algorithm, challenge, salt, signature }: Issued): string {
  for (let number = 0; ; number += 1) {
    const hash = createHash('sha256').update(`${salt}${number}`).digest('hex')
    if (hash === challenge) return toPayload({ algorithm, challenge, number, salt, signature })
  }
}

export const toPayload = (solution: object) => Buffer.from(JSON.stringify(solution)).toString('base64')
