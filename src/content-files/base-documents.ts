import { hasEnvironmentValue } from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { isSecretHeader } from '../webhooks/redact-headers.ts'
import type { ContentFileBase } from './content-file-store.ts'
import type { ContentDocument } from './document.ts'

const SEALED = 'sealed:'
const PLACE = 'content_files.document_json'

/** A base whose document can be compared with a file's. */
export interface OpenBase {
  /** Null when there was no file: the form of an archived row. */
  document: ContentDocument | null
  rowSha256: string
}

/** The document as it is kept: a secret that stands literally in its file is encrypted. */
export function sealDocument(document: ContentDocument, secretBox: SecretBox): ContentDocument {
  const seal = (text: string) =>
    hasEnvironmentValue(text) ? text : `${SEALED}${secretBox.seal(text, PLACE)}`
  return mapSecrets(document, seal, isSecretHeader)
}

/** The document as its file said it. A secret that this key cannot open stays sealed and so differs from any file. */
export function openBase({ document, rowSha256 }: ContentFileBase, secretBox: SecretBox): OpenBase {
  const open = (secret: string) => {
    if (!secret.startsWith(SEALED)) return secret
    try {
      return secretBox.open(secret.slice(SEALED.length), PLACE)
    } catch {
      return secret
    }
  }
  const known = document as ContentDocument | null
  return { document: known && mapSecrets(known, open, () => true), rowSha256 }
}

type Change = (text: string) => string
type IsSecret = (name: string, value: string) => boolean

function mapSecrets(document: ContentDocument, change: Change, isSecret: IsSecret): ContentDocument {
  if (document.kind !== 'form') return document
  const webhooks = document.webhooks.map((webhook) => {
    const { signing_secret: secret, headers } = webhook
    const changed = { ...webhook, headers: headers && changeHeaders(headers, change, isSecret) }
    return typeof secret === 'string' ? { ...changed, signing_secret: change(secret) } : changed
  })
  return { ...document, webhooks }
}

function changeHeaders(headers: Record<string, string>, change: Change, isSecret: IsSecret) {
  const changed = Object.entries(headers).map(([name, value]) => [
    name,
    isSecret(name, value) ? change(value) : value,
  ])
  return Object.fromEntries(changed)
}
