/** A passkey as its owner sees it. */
export interface Passkey {
  id: number
  name: string
  /** The host that it works on. */
  host: string
  createdAt: string
  lastUsedAt: string | null
}

/** A passkey with the parts that check a signature; these never leave the server. */
export interface StoredPasskey extends Passkey {
  userId: number
  /** Base64url, as browsers name it. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  transports: string[]
}
