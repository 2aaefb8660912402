import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { EVERY_LEAD } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import type { FileStore } from '../files/file-store.ts'
import { listSubmissionsById } from '../submissions/submission-store.ts'
import { openUpload } from '../submissions/uploads/open-upload.ts'
import { describeLead, type ExportedFile, listFiles } from './describe-lead.ts'
import type { FoundPerson } from './find-person.ts'
import type { Person } from './person.ts'
import { createPersonPattern } from './person-pattern.ts'
import { PERSONAL_TABLES } from './personal-columns.ts'
import { walkTexts } from './walk-texts.ts'

const BATCH = 100

/**
 * Streams a ZIP with everything stored about a person: `person.json`, and the files of their leads below `files/`.
 * An error ends the stream.
 */
export async function exportPerson(
  db: Db,
  person: Person,
  { found, files, now }: { found: FoundPerson; files: FileStore; now: Date },
): Promise<Readable> {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream)
  zip.on('error', (error) => output.destroy(error as Error))
  const addStream = (path: string, open: () => Promise<Readable>) =>
    zip.addReadStreamLazy(path, { mtime: now }, (take) => {
      open().then(
        (stream) => take(null, stream),
        (error: Error) => take(error, Readable.from([])),
      )
    })
  addStream('person.json', async () => Readable.from(writeJson(db, person, found)))
  for (const { path, uploadId } of await listAllFiles(db, found.leads)) {
    addStream(path, async () => {
      const upload = await openUpload(db, uploadId, { files, scope: EVERY_LEAD })
      // If a file is missing on disk, its name stays in the list.
      return upload?.stream ?? Readable.from([])
    })
  }
  zip.end()
  return output
}

async function listAllFiles(db: Db, leads: readonly number[]): Promise<ExportedFile[]> {
  const listed: ExportedFile[] = []
  for (let start = 0; start < leads.length; start += BATCH)
    for (const submission of await listSubmissionsById(db, leads.slice(start, start + BATCH), EVERY_LEAD))
      listed.push(...listFiles(submission))
  return listed
}

async function* writeJson(db: Db, person: Person, found: FoundPerson): AsyncGenerator<string> {
  const { email, phone, text } = person
  const asked = { email, phone: phone?.shown ?? null, text }
  yield `{"searched":${JSON.stringify(asked)},\n"leads":[`
  let separator = '\n'
  for (const id of found.leads) {
    const lead = await describeLead(db, id)
    if (!lead) continue
    yield separator + JSON.stringify(lead)
    separator = ',\n'
  }
  yield '],\n"receivers":'
  yield JSON.stringify(found.receivers)
  yield ',\n"mentions":['
  yield* writeMentions(db, person, found)
  yield ']}\n'
}

// Texts by others are about other people too, so they are listed but not copied.
async function* writeMentions(db: Db, person: Person, { leads }: FoundPerson): AsyncGenerator<string> {
  const pattern = createPersonPattern(person)
  const own = new Set(leads)
  let separator = '\n'
  for (const table of PERSONAL_TABLES)
    for await (const rows of walkTexts(db, table, pattern))
      for (const { id, lead } of rows) {
        if (lead !== null && own.has(lead)) continue
        yield separator + JSON.stringify({ in: table.table, id })
        separator = ',\n'
      }
}
