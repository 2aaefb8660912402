import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { type Deadlines, PROMPT } from '../db/deadlines.ts'
import type { Schema } from '../db/schema.ts'
import { isMissing } from '../lib/is-missing.ts'
import type { CheckName } from '../messages/command-line/doctor.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Makes a check that reads the database. One that does not exist has nothing wrong in it yet. */
export async function withDatabase(
  check: CheckName,
  { databaseUrl, deadlines = PROMPT }: Pick<Config, 'databaseUrl'> & { deadlines?: Deadlines },
  examine: (db: Kysely<Schema>) => Promise<Finding>,
): Promise<Finding> {
  if (databaseUrl.startsWith('file:') && isMissing(databaseUrl.slice('file:'.length)))
    return ok(check, 'noneYet')
  try {
    await using db = connectDatabase(databaseUrl, { deadlines })
    return await examine(db)
  } catch (error) {
    return warning(check, 'notChecked', (error as Error).message)
  }
}
