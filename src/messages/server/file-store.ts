type Named = { name: string; variable: string }

/** Why a bucket holds or gives no file, for the log and the terminal. */
export const fileStoreFailures = {
  noAnswer: ({ name, variable }: Named) =>
    `The bucket ${name} did not respond in time. Check ${variable} and the S3 service`,
  refused: ({ name, variable }: Named, status: number, code: string | undefined) =>
    `The bucket ${name} rejected a request (${code ?? status}). Check ${variable} and its access key`,
  bucketMissing: ({ name, variable }: Named) =>
    `The bucket ${name} does not exist. Create it or correct ${variable}`,
}
