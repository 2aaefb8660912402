export interface ServerTables {
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
  }
}
