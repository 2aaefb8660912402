interface Challenge {
  algorithm: string
  challenge: string
  maxnumber: number
  salt: string
  signature: string
}

/**
 * Fetches a challenge for the form (ALTCHA v1) and solves it, within about a second. Undefined if that is
 * impossible, such as on a page without https.
 */
export async function solveChallenge(action: string): Promise<string | undefined> {
  try {
    return await solve(await (await fetch(action.replace(/submissions$/, 'challenge'))).json())
  } catch {
    return undefined
  }
}

async function solve({ maxnumber, ...challenge }: Challenge): Promise<string | undefined> {
  for (let number = 0; number <= maxnumber; number += 1) {
    const found = (await sha256Hex(challenge.salt + number)) === challenge.challenge
    if (found) return btoa(JSON.stringify({ ...challenge, number }))
  }
  return undefined
}

async function sha256Hex(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}
