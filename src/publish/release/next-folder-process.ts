import { constants, setPriority } from 'node:os'
import { prepareNextFolder } from './next-folder.ts'

// Started by `startNextFolder`. Visitors, deliveries, and a publish go first.
const [, , dataDir = ''] = process.argv
setPriority(constants.priority.PRIORITY_LOW)
await prepareNextFolder(dataDir)
