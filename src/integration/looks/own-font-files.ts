import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { integrationTexts } from '../../messages/command-line/integration.ts'

type Source = string | URL | { url: string | URL }

const CONFIGURATION = 'astro.config.mjs'

interface OwnFont {
  name: string
  options?: Readonly<Record<string, unknown>> | undefined
}

/** Throws if a file of the site's own fonts doesn't exist, with the line of the configuration that names it. */
export function refuseMissingFonts(root: URL, fonts: readonly OwnFont[] = []): void {
  for (const { name, options } of fonts) {
    const variants = (options?.variants ?? []) as readonly { src?: readonly Source[] }[]
    for (const source of variants.flatMap(({ src = [] }) => src)) refuseMissing(root, name, source)
  }
}

function refuseMissing(root: URL, name: string, source: Source) {
  const written = String(typeof source === 'object' && 'url' in source ? source.url : source)
  const file = pathOf(root, written)
  if (file === undefined || existsSync(file)) return
  throw new Failure(integrationTexts, 'fontMissing', placeOf(root, written), name, file)
}

// As Astro looks: in packages first, then from the site's folder. Undefined for other addresses.
function pathOf(root: URL, written: string): string | undefined {
  try {
    return createRequire(root).resolve(written)
  } catch {
    const url = new URL(written, root)
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined
  }
}

function placeOf(root: URL, written: string): string {
  const file = join(fileURLToPath(root), CONFIGURATION)
  const lines = isMissing(file) ? [] : readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes(written)) + 1
  return line === 0 ? CONFIGURATION : `${CONFIGURATION}:${line}`
}
