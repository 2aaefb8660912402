/** Why nothing can be sent to the URL of a webhook. */
export const destinationProblems = {
  notPublic: (host: string) =>
    `Signpost can’t send to this URL: ${host} is not a public address. Use another URL, or allow this address in WEBHOOK_ALLOW.`,
  plainHttp:
    'Signpost can’t send to this URL without https. Use https, or allow this address in WEBHOOK_ALLOW.',
}

/** Problems with `WEBHOOK_ALLOW`. */
export const wrongRange = (text: string) =>
  `WEBHOOK_ALLOW has "${text}"; expected CIDRs separated by commas, each with or without a port, such as 127.0.0.0/8, 10.0.0.5/32:8080, or [::1]/128:9000`

/** Why an attempt failed, in the log of attempts. */
export const attemptFailures = {
  unexpectedUpgrade: 'The receiver returned 101 (Switching Protocols), which was not requested',
  earlyAnswer: 'The receiver sent a response before the request',
  answerTooLarge: (bytes: number) => `the response is larger than ${bytes} bytes`,
  answerTooSlow: (milliseconds: number) => `no complete response within ${milliseconds} ms`,
  noStatus: 'the response had no status',
  nameTooSlow: 'looking up the host name took too long',
  noAddress: (host: string, reason?: string) => `${host} has no address${reason ? `: ${reason}` : ''}`,
  needsHttps: (address: string) => `${address} needs https, because it is not in WEBHOOK_ALLOW`,
  blocked: (address: string) => `${address} is not a public address and is not in WEBHOOK_ALLOW`,
  closedAtOnce: 'the connection was closed immediately',
}
