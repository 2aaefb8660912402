/** Errors in a site’s own hooks, in `src/hooks.ts`. */
export const hookFailures = {
  unreadable: (file: string, reason: string) => `${file} can’t be loaded: ${reason}`,
  notHooks: (file: string) =>
    `${file} does not define hooks. Use export default defineHooks({ … }) from signpost/hooks`,
  unknown: (file: string, name: string, names: string) =>
    `${file}: "${name}" is not a hook. The hooks are: ${names}`,
  notAFunction: (file: string, name: string) => `${file}: the hook ${name} is not a function`,
  failed: (hook: string, place: string, reason: string) => `The hook ${hook} in ${place} failed: ${reason}`,
}

/** Reasons why a hook failed. */
export const hookTexts = {
  tooLate: (seconds: number) => `It did not finish within ${seconds} s`,
  endedEarly: 'It ended its thread. Remove the call to process.exit()',
  headNotText: 'It must return a string of HTML',
  headEnded: (html: string) =>
    `It returned HTML that would close the head: ${html}. Return only complete elements that are allowed in a head, such as meta, link, and script`,
  jsonLdNotList: 'It must return a list of objects',
  verdictInvalid: 'It must return nothing or { refuse: "message" }',
}
