/** Colors of an email, named by their roles in a theme. Each text is legible on its background. */
export interface MailColors {
  /** The page around the email. */
  surface: string
  background: string
  line: string
  text: string
  muted: string
  /** Links and buttons. */
  primary: string
  on_primary: string
  accent: string
  on_accent: string
  /** The header with the name of the site. */
  band: string
  on_band: string
}

/** A site's name, colors, and contact details in its emails. */
export interface MailLook {
  siteName: string
  siteUrl: string
  light: MailColors
  /** Used where the reader's device is dark. */
  dark: MailColors
  /** URL of a square picture; null if the first letter of the name represents the site. */
  icon: string | null
  /** `dial` is E.164; null if the number can't be dialed. */
  phone: { text: string; dial: string | null } | null
  email: string | null
  /** The postal address, one line of text per line. */
  address: string | null
}

/** Colors of emails from Signpost itself, such as those about accounts. */
export const PLAIN_COLORS: Pick<MailLook, 'light' | 'dark'> = {
  light: {
    ...{ surface: '#f3f4f6', background: '#ffffff', line: '#e3e6ea', text: '#1c1f23', muted: '#5b6470' },
    ...{ primary: '#1d4ed8', on_primary: '#ffffff', accent: '#1d4ed8', on_accent: '#ffffff' },
    ...{ band: '#1c1f23', on_band: '#ffffff' },
  },
  dark: {
    ...{ surface: '#111418', background: '#1e2228', line: '#343a42', text: '#f3f4f6', muted: '#aab2bd' },
    ...{ primary: '#9db8ff', on_primary: '#111418', accent: '#9db8ff', on_accent: '#111418' },
    ...{ band: '#111418', on_band: '#f3f4f6' },
  },
}
