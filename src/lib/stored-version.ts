import { canonicalJson, sha256Hex } from './canonical-json.ts'

/** Another text for other values; what a form was filled from is known again by it. */
export function versionOf(values: unknown): string {
  return sha256Hex(canonicalJson(values))
}
