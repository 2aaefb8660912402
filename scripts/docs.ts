import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'
import { makeReference } from './docs/make-reference.ts'
import { withDatabase } from './open-database.ts'

const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url))

await runCommand({ usage: usages.docs, options: {} }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-docs-'))
  try {
    await withDatabase(`file:${join(folder, 'signpost.db')}`, writeReference)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function writeReference(db: Parameters<typeof makeReference>[0]) {
  for (const [path, text] of await makeReference(db)) {
    const file = join(PROJECT_DIR, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    console.log(path)
  }
}
