import { type Capability, can, type Holder } from '../../auth/roles/capabilities.ts'

// A form's file contains the recipients of its leads and the URLs of its webhooks.
const NEEDS: readonly (readonly [folder: RegExp, capability: Capability])[] = [
  [/^forms\//, 'edit_forms'],
  [/^content_types\//, 'edit_structure'],
  [/^site\.yaml$/, 'edit_settings'],
]

/** Returns whether an account may resolve a conflict: it must be allowed to edit what the file contains. */
export function maySettle(user: Holder, path: string): boolean {
  const needed = NEEDS.find(([folder]) => folder.test(path))?.[1] ?? 'edit_content'
  return can(user, needed)
}
