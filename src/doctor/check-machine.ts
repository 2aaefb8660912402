import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { link, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { isMissing } from '../lib/is-missing.ts'
import { formerKeysPath } from '../secret-keys/key-file.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const GIB = 1024 ** 3
/** Below this, visitors' files are refused (see the uploads folder). */
const TOO_LITTLE_BYTES = 0.25 * GIB
const LITTLE_BYTES = 2 * GIB
/** The first with `Temporal`. */
const NEEDED_NODE = 26
const OWNER_ONLY = 0o077

export function checkNode(version = process.versions.node): Finding {
  const isNewEnough = Number.parseInt(version, 10) >= NEEDED_NODE
  return isNewEnough ? ok('node', 'node', version) : failed('node', 'nodeTooOld', version)
}

/** Free space where `DATA_DIR` is, or will be. */
export async function checkDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  freeBytesOf = countFreeBytes,
): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const free = await freeBytesOf(folder)
  const found = [(free / GIB).toFixed(1), dataDir] as const
  if (free < TOO_LITTLE_BYTES) return failed('disk', 'fullSoon', ...found)
  if (free < LITTLE_BYTES) return warning('disk', 'spaceLow', ...found)
  return ok('disk', 'free', ...found)
}

async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Returns whether the data folder can be written, and whether releases can share files. */
export async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  const name = 'dataFolder'
  if (!existsSync(dataDir)) return warning(name, 'notThere', dataDir)
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
    if (ofOther) return failed(name, 'otherOwner', ofOther, dataDir)
    if (canLink) return ok(name, 'writable', dataDir)
    return warning(name, 'noHardLinks', dataDir)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return failed(name, 'notWritable', dataDir, message, code === 'EROFS' ? 'mount' : 'own')
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
  const name = 'secretKey'
  if (open) return warning(name, 'keyReadable', open)
  if (path === undefined) return ok(name, 'keyFromEnvironment')
  if (isMissing(path)) return warning(name, 'notThere', path)
  return ok(name, 'keyPrivate', path)
}

function isOpenToOthers(path: string | undefined): boolean {
  if (path === undefined || isMissing(path)) return false
  return (statSync(path).mode & OWNER_ONLY) !== 0
}
