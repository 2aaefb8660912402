import type { MailLook } from '#src/notifications/mail-look.ts'
import { PALETTES } from '#src/site/theme/presets.ts'

/** The look of emails of a site with all its contact details. */
export function aMailLook(look: Partial<MailLook> = {}): MailLook {
  return {
    siteName: 'Shannon Plumbing & Heating',
    siteUrl: 'https://www.example.com',
    ...{ light: PALETTES.bluebonnet.light, dark: PALETTES.bluebonnet.dark },
    icon: null,
    phone: { text: '065 682 1234', dial: '+353656821234' },
    email: 'office@shannon.example',
    address: 'Shannon Plumbing & Heating\n12 Abbey Street\nEnnis, V95 X2Y3',
    ...look,
  }
}
