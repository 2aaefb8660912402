import { hasEnvironmentValue } from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { ContentFileBase } from './content-file-store.ts'
import type { ContentDocument, FormDocument } from './document.ts'

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
  return mapSecrets(document, (secret) =>
    hasEnvironmentValue(secret) ? secret : `${SEALED}${secretBox.seal(secret, PLACE)}`,
  )
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
  return { document: known && mapSecrets(known, open), rowSha256 }
}

function mapSecrets(document: ContentDocument, change: (secret: string) => string): ContentDocument {
  if (document.kind !== 'form') return document
  return { ...document, webhooks: document.webhooks.map((webhook) => withSecret(webhook, change)) }
}

function withSecret(
  webhook: FormDocument['webhooks'][number],
  change: (secret: string) => string,
): FormDocument['webhooks'][number] {
  const { signing_secret: secret } = webhook
  return typeof secret === 'string' ? { ...webhook, signing_secret: change(secret) } : webhook
}
