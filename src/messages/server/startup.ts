interface Address {
  host: string
  port: number
  /** Variable that sets the port. */
  variable: string
}

/** Output of a start on the terminal. */
export const startupTexts = {
  ready: (origin: string) => `Signpost is ready: ${origin}`,
  signIn: (address: string) => `Sign in: ${address}`,
  firstAccount: (link: string) => `Create the first account: ${link}`,
  portInUse: ({ host, port, variable }: Address) =>
    `Port ${port} on ${host} is in use. Stop the other program or set ${variable}`,
  portReserved: ({ port, variable }: Address) =>
    `Port ${port} needs administrator rights. Set ${variable} to a port above 1023`,
  hostUnknown: ({ host }: Pick<Address, 'host'>) =>
    `HOST is "${host}", which is not an address of this machine; expected an address such as 127.0.0.1`,
  siteNotBuilt: 'The site could not be built. The reason is above',
  diskNearlyFull: 'The disk is nearly full, so uploads are refused',
}
