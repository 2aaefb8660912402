import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { HtmlValidate } from 'html-validate'
import { skipWithout } from './needed-tool.ts'

const JAR = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar')

// Java options: the second compiler costs more time than it saves, and the first one's frames need more stack.
const JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xss8m']

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  // A formatting preference for templates, not for pages.
  rules: {
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    'long-title': 'off',
  },
})

/** Returns html-validate's findings on a page: `line rule: message`. */
export async function htmlErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
  )
}

/** Reason for skipping tests with the Nu validator, a Java program, on this machine, or false. */
export function withoutJava(): string | false {
  const hasJava = spawnSync('java', ['-version']).status === 0
  return skipWithout(hasJava, 'Java is not installed; .ci/run installs it')
}

/** Returns the findings of the W3C's Nu validator on HTML files, one line per error. */
export function nuErrors(files: readonly string[]): string[] {
  const options = [...JVM, '-jar', JAR, '--errors-only', '--format', 'gnu', ...files]
  const { status, stderr, error } = spawnSync('java', options, { encoding: 'utf8' })
  if (error || status === null) throw error ?? new Error('The Nu validator was ended')
  return stderr.split('\n').filter(Boolean)
}
