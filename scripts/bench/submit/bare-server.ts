// The ceiling: node:http and better-sqlite3 with the same group commit and the same durability, and nothing else.
import { createServer } from 'node:http'
import SqliteDatabase from 'better-sqlite3'
import { createGroupCommit } from '#src/submissions/intake/group-commit.ts'

const [, , path = '', port = '0'] = process.argv
const database = new SqliteDatabase(path)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'create table if not exists answers (id integer primary key autoincrement, body text not null) strict',
)
const insert = database.prepare('insert into answers (body) values (?)')
const insertAll = database.transaction((bodies: readonly string[]) =>
  bodies.map((body) => Number(insert.run(body).lastInsertRowid)),
)
const commit = createGroupCommit({
  commitAll: async (bodies: readonly string[]) => insertAll.immediate(bodies),
  concernsAll: () => true,
})

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const id = await commit(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())))
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id }))
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
