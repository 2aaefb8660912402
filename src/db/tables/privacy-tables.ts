import type { Generated } from 'kysely'

export interface PrivacyTables {
  /** People who were erased, or are being erased, in numbers. */
  privacy_erasures: {
    id: Generated<number>
    requested_at: Generated<string>
    user_id: number | null
    /** Email address of the user who asked for it, kept after the account is gone. */
    user_email: string
    address: string
    /** Search terms of the person; null once nothing is left to find. */
    person_json: string | null
    leads: Generated<number>
    files: Generated<number>
    /** Other texts that the person was removed from. */
    texts: Generated<number>
    finished_at: string | null
    /** SQLite: number of removals after which a rewritten file no longer contains the person. */
    removal: number | null
  }
}
