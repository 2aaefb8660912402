import type { Attempt } from './send-attempt.ts'

const SHORTEST = 4

/** The attempt without values of the environment: a receiver may have sent back what it got. */
export function hideValues(attempt: Attempt, values: ReadonlyMap<string, string>): Attempt {
  const named = [...values].filter(([, value]) => value.length >= SHORTEST)
  if (named.length === 0) return attempt
  const hide = (text: string) =>
    named.reduce((hidden, [name, value]) => hidden.replaceAll(value, `\${${name}}`), text)
  const { responseBody, responseHeaders: headers } = attempt
  return {
    ...attempt,
    ...(attempt.kind === 'failed' ? { message: hide(attempt.message) } : {}),
    responseBody: responseBody === null ? null : hide(responseBody),
    responseHeaders:
      headers && Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hide(text)])),
  }
}
