import type { Generated } from 'kysely'

/** See src/auth/roles/role.ts. */
type RoleColumn = 'owner' | 'manager' | 'editor' | 'office' | 'viewer'

export interface AdminTables {
  admin_users: {
    id: Generated<number>
    /** Lower case. */
    email: string
    /** Null until a password was set: such an account cannot sign in. */
    password_hash: string | null
    created_at: Generated<string>
    name: string | null
    disabled_at: string | null
    last_signed_in_at: string | null
    /** Encrypted; valid only once it is confirmed with a first code. */
    totp_secret: string | null
    totp_confirmed_at: string | null
    /** The time step of the last code used: none works twice. */
    totp_last_step: number | null
    role: Generated<RoleColumn>
    /** JSON list of term IDs; null is every place. */
    place_limit_json: string | null
    /** JSON list of form IDs; null is every form. */
    form_limit_json: string | null
    /** Random and stable: what passkeys call the user (WebAuthn §5.4.3). Null before the first one. */
    passkey_user_id: string | null
    /** 1 or 0 when they chose to get the monthly report or not. */
    gets_report: 0 | 1 | null
  }
  /** Reports by email: at most one for each user and month. */
  monthly_reports: {
    id: Generated<number>
    user_id: number
    /** `2026-10`. */
    period: string
    status: 'pending' | 'sending' | 'sent' | 'failed'
    attempts: Generated<number>
    /** When it is sent, or was claimed; UTC text. */
    due_at: string
    last_error: string | null
  }
  admin_sessions: {
    id: Generated<number>
    user_id: number
    token_sha256: string
    created_at: string
    last_seen_at: string
    /** When the password was last typed in this session. */
    password_checked_at: string
    address: string
    user_agent: string
    /** Second factor that opened the session, or was set up in it. */
    second_factor: 'code' | 'passkey' | null
  }
  admin_recovery_codes: {
    user_id: number
    code_sha256: string
  }
  admin_passkeys: {
    id: Generated<number>
    user_id: number
    /** The browser's credential ID, as base64url. */
    credential_id: string
    /** COSE key, base64url. */
    public_key: string
    /** The device's use counter; 0 for devices without one. */
    sign_count: number
    transports_json: string
    /** The host that it works on: its relying party ID. */
    host: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  /** Challenges that devices sign; each row is valid once. */
  passkey_challenges: {
    /** SHA-256 of a browser's token, or session and purpose. */
    holder: string
    challenge: string
    address: string
    expires_at: string
  }
  /** Invitations of users without a password; at most one row per user. */
  admin_invitations: {
    user_id: number
    token_sha256: string
    expires_at: string
  }
  /** Password reset links; at most one row per user. */
  admin_password_resets: {
    user_id: number
    token_sha256: string
    expires_at: string
  }
  sign_in_failures: {
    id: Generated<number>
    account_sha256: string
    address: string
    failed_at: string
  }
  audit_log: {
    id: Generated<number>
    happened_at: Generated<string>
    user_id: number | null
    user_email: string
    /** The audited action as subject and verb, such as `form.archived`. */
    action: string
    subject_type: string | null
    subject_id: string | null
    /** One plain sentence without secrets. */
    summary: string
    address: string
    /** SHA-256 over the entry and the hash of the one before; hex. */
    chain_hash: string | null
    /** 1: a person was removed from its text, which its hash no longer covers; a later entry says so. */
    is_redacted: Generated<0 | 1>
  }
  /** Notes of administrators on a submission. */
  submission_notes: {
    id: Generated<number>
    submission_id: number
    user_id: number | null
    user_email: string
    body: string
    created_at: Generated<string>
  }
  /** Filters of the inbox that a user keeps; never words of a search, which may name a person. */
  saved_filters: {
    id: Generated<number>
    user_id: number
    name: string
    is_shared: Generated<0 | 1>
    filter_json: string
  }
}
