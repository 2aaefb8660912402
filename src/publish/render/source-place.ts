import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'

const FRAME = /(file:[^\s()]+):(\d+):(\d+)/g
const PACKAGE = /(?:^|\/)node_modules\//

/**
 * Does the work with the templates of a bundle. Throws its failures with the file and line of the site's own source, if
 * the stack shows one. The program's own failures already say where the mistake is.
 */
export async function namingPlaces<T>(bundleFolder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    const { message: reason = String(error), stack = '' } = error instanceof Error ? error : {}
    const place = findSourcePlace(bundleFolder, stack)
    if (place === undefined) throw error instanceof Error ? error : new Error(reason)
    throw new Failure(publishFailures, 'thrownAt', place, reason)
  }
}

/**
 * Returns the file and line of a site's source, such as `src/components/Header.astro:7`, of the innermost frame of a
 * stack that is in a bundle's templates. Templates of packages count only if there are none of the site's own.
 */
export function findSourcePlace(bundleFolder: string, stack: string): string | undefined {
  const siteDir = resolve(bundleFolder, '../..')
  const places = [...stack.matchAll(FRAME)].flatMap(([, url = '', line, column]) => {
    const origin = originOf(bundleFolder, url, Number(line), Number(column))
    return origin ? [{ file: relative(siteDir, origin.file).split(sep).join('/'), line: origin.line }] : []
  })
  const place =
    places.find(({ file }) => !PACKAGE.test(file)) ?? places.find(({ file }) => file.endsWith('.astro'))
  return place && `${place.file}:${place.line}`
}

// Of a place in a bundle's file, by the map beside it.
function originOf(
  bundleFolder: string,
  url: string,
  line: number,
  column: number,
): { file: string; line: number } | undefined {
  if (!url.startsWith(`${pathToFileURL(join(bundleFolder, 'server')).href}/`)) return undefined
  const file = fileURLToPath(url)
  if (isMissing(`${file}.map`)) return undefined
  const origin = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))).findOrigin(line, column)
  if (!('fileName' in origin)) return undefined
  return { file: resolve(file, '..', origin.fileName), line: origin.lineNumber }
}
