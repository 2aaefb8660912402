import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { escapeLike, isLike } from '#src/db/statements/is-like.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  test(`${engine.name}: texts match whatever the case of their letters`, async () => {
    const db = await engine.openMigrated()
    const matches = async (text: string, sought: string) => {
      const found = isLike(sql`cast(${text} as text)`, `%${escapeLike(sought)}%`)
      const { rows } = await sql`select 1 from (select 1) as one where ${found}`.execute(db)
      return rows.length > 0
    }
    for (const [text, sought] of [
      ['Kühlung MÜNCHEN', 'münchen'],
      ['Kühlung München', 'MÜN'],
      ['ΑΘΗΝΑ', 'αθήνα'.replace('ή', 'η')],
      ['100 % Ökostrom_1', '% ö'],
      ['Straße', 'ß'],
    ] as const)
      assert.ok(await matches(text, sought), `${sought} in ${text}`)
    for (const [text, sought] of [
      ['Munchen', 'ü'],
      ['Straße', '_'],
      ['München', '%'],
    ] as const)
      assert.equal(await matches(text, sought), false, `${sought} in ${text}`)
  })
}
