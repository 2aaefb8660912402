import { accessSync, constants, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filePlaceOf, publicBucketOf } from './environment/file-place.ts'
import { parseEnvironment } from './environment.ts'
import type { Bucket, FilePlace } from './files/file-store.ts'
import { type CamelCase, camelCase } from './lib/camel-case.ts'
import { fixedRing, type KeyRing } from './lib/key-ring.ts'
import { makeFolder } from './lib/make-folder.ts'
import { Failure } from './lib/messages.ts'
import { problemTexts } from './messages/command-line/problems.ts'
import { openFileRing, openNewRing } from './secret-keys/file-ring.ts'

/** SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST_PASSED_FD = 3

type Environment = ReturnType<typeof parseEnvironment>

type Values = { [Name in keyof Environment as CamelCase<Lowercase<Name>>]: Environment[Name] }

type ReadOnce =
  | 'secretKey'
  | 'secretKeyPrevious'
  | 'listenFds'
  | 'listenPid'
  | 'fileStore'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 'publishTo'
  | 'publishAccessKeyId'
  | 'publishSecretAccessKey'

/**
 * Every variable of contract §2 by its name in camel case (environment.ts), and values derived from several of them.
 */
export interface Config extends Omit<Values, ReadOnce> {
  /** The listening socket that systemd opened for this process; undefined when the server opens its own. */
  listenFd: number | undefined
  /** Public origin without a trailing slash, such as `https://www.example.com`. */
  siteUrl: string
  /** Origin of the admin without a trailing slash: `siteUrl` unless it has a host of its own. */
  adminUrl: string
  databaseUrl: string
  /** Place of visitors' files and pictures. */
  filePlace: FilePlace
  /** Bucket that a static host or CDN serves; undefined where the program serves its pages alone. */
  publicBucket: Bucket | undefined
  /** Keys that sign requests to CloudFront: those of the public bucket. */
  publicKeys: Pick<Bucket, 'accessKeyId' | 'secretAccessKey'>
  secretKeys: KeyRing
  /** Folder of the keys; undefined when they come from the environment. */
  secretKeyFile: string | undefined
}

/**
 * Reads the environment once (contract §2), with a `.env` file of the current folder behind it, and makes `DATA_DIR`
 * unless the command is read-only. The secret key in it, if missing, is created once a database needs it. Throws one
 * error that names every wrong variable and what it may be.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = environmentWithFile(),
  { isReadOnly = false } = {},
): Config {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS, LISTEN_FDS, LISTEN_PID, ...others } = parseEnvironment(environment)
  const { FILE_STORE, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...withPublic } = others
  const { PUBLISH_TO, PUBLISH_ACCESS_KEY_ID, PUBLISH_SECRET_ACCESS_KEY, ...env } = withPublic
  const keys = { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  const publicKeys = { ...keys, PUBLISH_ACCESS_KEY_ID, PUBLISH_SECRET_ACCESS_KEY }
  const dataDir = resolve(env.DATA_DIR)
  const keyFile = join(dataDir, 'secret.key')
  if (!isReadOnly) prepareFolder(dataDir)
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`
  return {
    ...inCamelCase(env),
    listenFd: LISTEN_FDS && LISTEN_PID === String(process.pid) ? FIRST_PASSED_FD : undefined,
    siteUrl,
    adminUrl: env.ADMIN_HOST ? `${new URL(siteUrl).protocol}//${env.ADMIN_HOST}` : siteUrl,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? `file:${join(dataDir, 'signpost.db')}`,
    filePlace: filePlaceOf(FILE_STORE, keys, dataDir),
    publicBucket: publicBucketOf(PUBLISH_TO, publicKeys),
    publicKeys: {
      accessKeyId: PUBLISH_ACCESS_KEY_ID ?? S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: PUBLISH_SECRET_ACCESS_KEY ?? S3_SECRET_ACCESS_KEY ?? '',
    },
    contentDir: resolve(env.CONTENT_DIR),
    secretKeys: openRing([SECRET_KEY, SECRET_KEY_PREVIOUS], keyFile),
    secretKeyFile: SECRET_KEY ? undefined : keyFile,
  }
}

function inCamelCase<Variables extends object>(variables: Variables) {
  const named = Object.entries(variables).map(([name, value]) => [camelCase(name.toLowerCase()), value])
  return Object.fromEntries(named) as {
    [Name in keyof Variables as CamelCase<Lowercase<Name & string>>]: Variables[Name]
  }
}

// Variables that are set already win over the file.
function environmentWithFile() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

function prepareFolder(dataDir: string) {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(problemTexts, 'dataFolderReadOnly', dataDir, code)
  }
}

function openRing([key, previous]: (Buffer | undefined)[], keyFile: string): KeyRing {
  if (key) return fixedRing(...(previous ? [key, previous] : [key]))
  return existsSync(keyFile) ? openFileRing(keyFile) : openNewRing(keyFile)
}
