/** Output of `soak`. */
export const soakTexts = {
  trying: (index: number, all: number, promise: string) => `${index} of ${all}: ${promise}`,
  broken: (broken: number, all: number) => `${broken} of ${all} promises failed`,
  untried: (untried: number, all: number) =>
    `${untried} of ${all} promises were not tested. To test all promises, install strace and unshare, and set TEST_DATABASE_URL to the address of a PostgreSQL server`,
  cases: (passed: number, all: number) => `${passed} of ${all} cases`,
}
