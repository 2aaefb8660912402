import type { Generated } from 'kysely'

export interface ServerTables {
  /** One row: the daily backup of all servers; on PostgreSQL only. */
  daily_backups: {
    id: number
    /** When a server began to make one; null while none does. By the database's clock, as `made_at`. */
    claimed_at: string | null
    /** Names the DATA_DIR that has the last one. */
    server: string | null
    name: string | null
    made_at: string | null
  }
  /** The dispatchers that share the slots of an origin; on PostgreSQL only. */
  dispatchers: {
    /** Random, new at each start. */
    id: string
    /** By the database's clock. */
    seen_at: string
    /** Number of dispatchers that it divides the slots by. */
    counted: number
  }
  /** The servers that run on this database, one row for each process; on PostgreSQL only, as SQLite is for one. */
  servers: {
    /** Random, new at each start. */
    id: string
    /** Names its DATA_DIR, as in the history of publishes. */
    machine: string
    release_id: string | null
    /** The program's version. */
    version: string
    started_at: string
    /** By the database's clock, as all moments here. */
    seen_at: string
    /** 1 if it could store posts and showed the live release then. */
    is_healthy: Generated<number>
  }
  /** One row: the server that does the daily work; on PostgreSQL only. */
  site_leader: {
    id: number
    /** The `id` of `servers`. */
    server_id: string | null
    renewed_at: string | null
  }
  /** One row: the last migration that took something away, and the program that applied it. */
  schema_support: {
    id: number
    revision: string
    version: string
    /** The last migration that the row was written for. */
    latest: string
  }
  /** When the leader last ended each work. */
  daily_work: {
    name: string
    done_at: string
  }
}
