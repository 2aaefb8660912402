/** Why a bucket of FILE_STORE holds or gives no file, for the log and the terminal. */
export const fileStoreFailures = {
  noAnswer: (bucket: string) =>
    `The bucket ${bucket} did not respond in time. Check FILE_STORE and the S3 service`,
  refused: (bucket: string, status: number, code: string | undefined) =>
    `The bucket ${bucket} rejected a request (${code ?? status}). Check FILE_STORE, S3_ACCESS_KEY_ID, and S3_SECRET_ACCESS_KEY`,
  bucketMissing: (bucket: string) => `The bucket ${bucket} does not exist. Create it or correct FILE_STORE`,
}
