export interface ServerTables {
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
  }
}
