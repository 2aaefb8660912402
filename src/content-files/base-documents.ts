import { openSecret, renewOrKeep, type SecretBox } from '../lib/secret-box.ts'
import { isLiteralSecret, mapHeaders } from '../webhooks/secrets/sealed-headers.ts'
import { isLiteralSigningSecret } from '../webhooks/secrets/signing-secrets.ts'
import type { ContentFileBase } from './content-file-store.ts'
import type { ContentDocument } from './document.ts'

const SEALED = 'sealed:'
const PLACE = 'content_files.document_json'

/** A base whose document can be compared with a file's. */
export interface OpenBase {
  /** Null if there was no file, as for an archived form. */
  document: ContentDocument | null
  rowSha256: string
}

/** Encrypts the literal secrets of a document for storage. */
export function sealDocument(document: ContentDocument, secretBox: SecretBox): ContentDocument {
  const seal = (text: string, header?: string) => {
    const isTyped = header === undefined ? isLiteralSigningSecret(text) : isLiteralSecret(header, text)
    return isTyped ? `${SEALED}${secretBox.seal(text, PLACE)}` : text
  }
  return mapSecrets(document, seal)
}

/**
 * Returns the document as its file had it. A secret that this key can't decrypt stays encrypted and so differs from
 * any file.
 */
export function openBase({ document, rowSha256 }: ContentFileBase, secretBox: SecretBox): OpenBase {
  const open = (secret: string) =>
    (secret.startsWith(SEALED) ? openSecret(secret.slice(SEALED.length), PLACE, { secretBox }) : undefined) ??
    secret
  const known = document as ContentDocument | null
  return { document: known && mapSecrets(known, open), rowSha256 }
}

/** Re-encrypts a document's secrets with the newest key. A secret that no key can decrypt is left as is. */
export function renewDocument(document: ContentDocument, secretBox: SecretBox): ContentDocument {
  return mapSecrets(document, (secret) =>
    secret.startsWith(SEALED)
      ? `${SEALED}${renewOrKeep(secret.slice(SEALED.length), PLACE, secretBox)}`
      : secret,
  )
}

/** Replaces a signing secret, or the value of the header with this name. */
type Change = (text: string, header?: string) => string

function mapSecrets(document: ContentDocument, change: Change): ContentDocument {
  if (document.kind !== 'form') return document
  const webhooks = document.webhooks.map((webhook) => {
    const { signing_secret: secret, headers } = webhook
    const changed = { ...webhook, headers: mapHeaders(headers, change) }
    return typeof secret === 'string' ? { ...changed, signing_secret: change(secret) } : changed
  })
  return { ...document, webhooks }
}
