/** Output of `webhooks`. */
export const webhookCommandTexts = {
  testQueued: (delivery: number) =>
    `Queued as delivery ${delivery}. The running server sends it within a second`,
  testOfPaused: (webhook: number) => `Webhook ${webhook} is paused. Resume it to send a test`,
  noSubmission: (webhook: number, submission: number | undefined) =>
    `The form of webhook ${webhook} has no submission ${submission}`,
  nothingResent: (reasons: string) => `Nothing was resent. ${reasons}`,
  nothingToResend: 'There is nothing to resend',
  notMatching: ({ id, name, url, reason }: Record<'id' | 'name' | 'url' | 'reason', string>) =>
    `Delivery ${id} does not match the conditions of "${name}" (${url}): ${reason}. Add --anyway to send the lead anyway`,
  refused: (delivery: number, reason: string) => `Delivery ${delivery} ${reason}`,
  queued: (count: number) => `${count} queued`,
  queuedButPaused: (count: number) => `${count} queued. Resume the webhook to send`,
  canceled: (count: number) => `Canceled: ${count}`,
  notPending: (delivery: number) => `Delivery ${delivery} is no longer pending`,
  paused: (webhook: number) => `Webhook ${webhook} is paused. New deliveries stay pending`,
  resumed: (webhook: number) => `Webhook ${webhook} is sending again`,
  difference: ({ submission, before, after }: { submission: number; before: string; after: string }) =>
    `submission ${submission}  ${before} -> ${after}`,
  sameBody: 'body is the same',
  otherBody: (before: string | null, after: string | null) =>
    `body differs\n  before: ${before ?? 'no body'}\n  after:  ${after ?? 'no body'}`,
  fires: 'fires',
  doesNotFire: (reason: string | null) => `does not fire (${reason})`,
  noSubmissions: 'The form has no submissions',
  keyAccepted:
    'The database now uses this SECRET_KEY. If the key changed, enter secret headers again, generate new signing secrets for your webhooks, and reset two-step sign-in for users with an authenticator app',
  webhookUnknown: (webhook: number) => `There is no webhook ${webhook}`,
  deliveryUnknown: (delivery: number) => `There is no delivery ${delivery}`,
  noChanges: (file: string) => `${file} has no webhook keys; expected keys such as enabled: false`,
  changesUnreadable: (file: string, reason: string) => `${file} can't be read: ${reason}`,
}
