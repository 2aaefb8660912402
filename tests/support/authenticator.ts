import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Details of an answer that a test can change. */
interface Bent {
  origin?: string
  host?: string
  isVerified?: boolean
  challenge?: string
  userHandle?: string
  signCount?: number
}

interface Place {
  host: string
  origin: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

/** A device with one passkey (ES256). Its answers are JSON text, as a browser posts them. */
export function createAuthenticator({ host, origin }: Place) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let count = 0
  let userHandle = ''

  // RFC 9053 §7.1: an EC2 key for ES256.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

  function authenticatorData(flags: number, bent: Bent, more: readonly Buffer[] = []): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(bent.signCount ?? count)
    const verified = bent.isVerified === false ? 0 : USER_VERIFIED
    const hash = createHash('sha256')
      .update(bent.host ?? host)
      .digest()
    return Buffer.concat([hash, Buffer.from([flags | USER_PRESENT | verified]), counted, ...more])
  }

  const clientData = (type: string, challenge: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({ type, challenge: bent.challenge ?? challenge, origin: bent.origin ?? origin }),
    )

  return {
    id,
    /** Answers registration options, without attestation. */
    register(
      { challenge, user }: { challenge: string; user: { id: string } },
      bent: Bent & { attestation?: Buffer } = {},
    ): string {
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const data = authenticatorData(HAS_KEY, bent, [Buffer.alloc(16), length, credentialId, coseKey])
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      const attestation =
        bent.attestation ??
        Buffer.concat([
          Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
          Buffer.from([0x59]),
          size,
          data,
        ])
      return JSON.stringify({
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, bent).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      })
    },
    /** Answers sign-in options and increases the use counter. */
    sign({ challenge }: { challenge: string }, bent: Bent = {}): string {
      count += 1
      const data = authenticatorData(0, bent)
      const signed = clientData('webauthn.get', challenge, bent)
      const hash = createHash('sha256').update(signed).digest()
      return JSON.stringify({
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: signed.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url'),
          userHandle: bent.userHandle ?? userHandle,
        },
      })
    },
  }
}
