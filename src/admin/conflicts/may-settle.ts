import { type Capability, can, type Holder } from '../../auth/roles/capabilities.ts'

// A form says who is told of its leads, and where its webhooks send them.
const NEEDS: readonly (readonly [folder: RegExp, capability: Capability])[] = [
  [/^forms\//, 'edit_forms'],
  [/^content_types\//, 'edit_structure'],
  [/^site\.yaml$/, 'edit_settings'],
]

/** Whether somebody may see both versions of a content file and choose one: who may change in the admin what it says. */
export function maySettle(user: Holder, path: string): boolean {
  const needed = NEEDS.find(([folder]) => folder.test(path))?.[1] ?? 'edit_content'
  return can(user, needed)
}
