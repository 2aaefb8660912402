// "Message failed: 550 5.1.1", and what the server says about the mail.
const STATUS = /^(.{0,200}?\b[245]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?)\b/s
const ADDRESS = /[^\s<>()"'`,;:]+@[^\s<>()"'`,;:]+/g

/** The failure of a mail for the log. A server's words may quote the recipient or the subject: only their code stays. */
export function loggedFailure(message: string): string {
  return (STATUS.exec(message)?.[1] ?? message).replace(ADDRESS, '[address]')
}
