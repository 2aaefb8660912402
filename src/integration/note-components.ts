import { readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { AstroUserConfig } from 'astro'
import { PROGRAM_DIR } from '../lib/program/folders.ts'
import type { ComponentName } from './components.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

const COUNT = join(PROGRAM_DIR, 'src/site/content', `count-shown${extname(import.meta.filename)}`)
// Only comments may precede a component's own code.
const OPENING = /^(?:\s|<!--.*?-->)*---[^\S\n]*\n/s

/**
 * Adds code to a site's components that counts them on each page, and to replaceable ones that records their names for
 * the page being rendered.
 */
export function noteComponents(siteDir: string, replaceable: readonly [ComponentName, string][]): Plugin {
  return {
    name: 'signpost:note-components',
    load(id) {
      const names = replaceable.flatMap(([name, file]) => (file === id ? [name] : []))
      const own = id.endsWith('.astro') && !id.startsWith(PROGRAM_DIR + sep)
      if (names.length === 0 && !own) return undefined
      this.addWatchFile(id)
      const file = own ? relative(siteDir, id).split(sep).join('/') : undefined
      return withNotes(readFileSync(id, 'utf8'), { names, file })
    },
  }
}

/** Adds the code in front of a component's own, without changing line numbers. */
export function withNotes(
  source: string,
  { names, file }: { names: readonly string[]; file?: string | undefined },
): string {
  const counting = `import{countShown as $count}from${JSON.stringify(COUNT)};$count(Astro.locals,${JSON.stringify(file)});`
  const recording = names.map((name) => `Astro.locals.shown?.add('${name}');`).join('')
  const note = (file === undefined ? '' : counting) + recording
  const [opening] = OPENING.exec(source) ?? []
  return opening === undefined
    ? `---\n${note}\n---\n${source}`
    : opening + note + source.slice(opening.length)
}
