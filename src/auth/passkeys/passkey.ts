/** A passkey as its owner sees it. */
export interface Passkey {
  id: number
  name: string
  /** The host it is bound to. */
  host: string
  createdAt: string
  lastUsedAt: string | null
}

/** A passkey with the data needed to check a signature, which never leaves the server. */
export interface StoredPasskey extends Passkey {
  userId: number
  /** Base64url, as browsers name it. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  transports: string[]
}
