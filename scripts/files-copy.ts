import { readConfig } from '../src/config.ts'
import { copyFiles } from '../src/files/copy-files.ts'
import { openDiskFiles } from '../src/files/disk-files.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { Failure } from '../src/lib/messages.ts'
import { fileCommandTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand, WrongUsage } from './command-line.ts'

await runCommand({ usage: usages.filesCopy, options: { to: { type: 'string' } } }, async ({ to }) => {
  if (to !== 'store' && to !== 'disk') throw new WrongUsage(fileCommandTexts.wrongDirection(to))
  const { dataDir, filePlace } = readConfig(undefined, { isReadOnly: true })
  if (filePlace.kind === 'disk' && filePlace.folder === dataDir)
    throw new Failure(fileCommandTexts, 'noOtherStore')
  const [store, disk] = [openFileStore(filePlace, { dataDir }), openDiskFiles(dataDir)]
  const counts = await (to === 'store' ? copyFiles(disk, store) : copyFiles(store, disk))
  console.log(fileCommandTexts.copied(counts))
})
