import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { link, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { isMissing } from '../lib/is-missing.ts'
import { formerKeysPath } from '../secret-keys/key-file.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const GIB = 1024 ** 3
/** Below this no files of visitors are taken any more (see the folder of uploads). */
const TOO_LITTLE_BYTES = 0.25 * GIB
const LITTLE_BYTES = 2 * GIB
const NEEDED_NODE = [22, 18]
const OWNER_ONLY = 0o077

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = NEEDED_NODE
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return ok('Node', version)
  return failed('Node', `${version} is too old; start with npm, which uses the Node of this project`)
}

/** Free space where `DATA_DIR` is, or will be. */
export async function checkDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  freeBytesOf = countFreeBytes,
): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const free = await freeBytesOf(folder)
  const says = `${(free / GIB).toFixed(1)} GiB free in ${dataDir}`
  if (free < TOO_LITTLE_BYTES) return failed('Disk', `${says}: make room, or no submissions are taken soon`)
  if (free < LITTLE_BYTES) return warning('Disk', `${says}: a publish and a backup need room too`)
  return ok('Disk', says)
}

async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Whether the data folder can be written, and whether releases can share files. */
export async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  if (!existsSync(dataDir))
    return warning('Data folder', `There is none at ${dataDir} yet: npm start makes it`)
  const [file, second] = [randomUUID(), randomUUID()].map((name) => join(dataDir, `.doctor-${name}`)) as [
    string,
    string,
  ]
  try {
    await writeFile(file, '')
    const canLink = await link(file, second).then(
      () => true,
      () => false,
    )
    const ofOther = findOtherOwner(dataDir)
    if (ofOther)
      return failed(
        'Data folder',
        `${ofOther} belongs to another user than ${dataDir}: stop the server, run chown -R USER ${dataDir} for the user that runs Signpost, and run every command as that user`,
      )
    if (canLink) return ok('Data folder', `${dataDir} can be written`)
    return warning('Data folder', `${dataDir} has no hard links: each release is a full copy`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const remedy = code === 'EROFS' ? 'mount its disk for writing' : 'give it to the user that runs Signpost'
    return failed('Data folder', `${dataDir} cannot be written (${message}): ${remedy}`)
  } finally {
    await Promise.all([file, second].map((path) => rm(path, { force: true }).catch(() => {})))
  }
}

// A command that was run as the superuser leaves files that the server can neither write nor remove.
function findOtherOwner(dataDir: string): string | undefined {
  const owner = statSync(dataDir).uid
  const isOfOther = (path: string) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? owner) !== owner
  const inside = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
  const releases = join(dataDir, 'releases')
  // One of another user may not even be listed.
  return (
    inside(dataDir).find(isOfOther) ?? (existsSync(releases) ? inside(releases).find(isOfOther) : undefined)
  )
}

/** The generated keys must be for their owner alone. */
export function checkKeyFile({ secretKeyFile: path, dataDir }: Config): Finding {
  const open = [path, formerKeysPath(dataDir)].find(isOpenToOthers)
  if (open) return warning('Secret key', `Others on this machine can read ${open}: run chmod 600 on it`)
  if (path === undefined) return ok('Secret key', 'comes from SECRET_KEY')
  if (isMissing(path)) return warning('Secret key', `There is none at ${path} yet: npm start makes it`)
  return ok('Secret key', `${path}, for its owner alone`)
}

function isOpenToOthers(path: string | undefined): boolean {
  if (path === undefined || isMissing(path)) return false
  return (statSync(path).mode & OWNER_ONLY) !== 0
}
