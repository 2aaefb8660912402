/** Mistakes in a site’s own hooks, in `src/hooks.ts`. */
export const hookFailures = {
  unreadable: (file: string, reason: string) => `${file} can’t be loaded: ${reason}`,
  notHooks: (file: string) =>
    `${file} has no hooks. Use export default defineHooks({ … }) from signpost/hooks`,
  unknown: (file: string, name: string, names: string) =>
    `${file}: "${name}" is not a hook. The hooks are: ${names}`,
  notAFunction: (file: string, name: string) => `${file}: the hook ${name} is not a function`,
  headNotText: 'The hook head did not return a string of HTML',
  jsonLdNotList: 'The hook jsonLd did not return a list of objects',
  beforePublishFailed: (reason: string) => `The hook beforePublish failed: ${reason}`,
}

/** Faults of hooks that stop nothing. */
export const hookTexts = {
  tooLate: (seconds: number) => `It did not finish within ${seconds} s`,
  verdictInvalid: 'It must return nothing or { refuse: "message" }',
  afterPublishFailed: (reason: string) => `The hook afterPublish failed: ${reason}`,
}
