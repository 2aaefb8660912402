/**
 * Returns why a test is skipped on a machine without its tool, or false. In CI the test runs and fails without it.
 */
export function skipWithout(isThere: boolean, reason: string): string | false {
  return !isThere && !process.env.CI && reason
}
