declare namespace App {
  interface Locals {
    /** The public page to render: its view and the partial that shows it. Absent in the admin. */
    page: import('./site/pages/page.ts').Page
    /** Learns which components the page shows, while a publish renders it. */
    shown?: import('./site/content/shown-components.ts').ShownNames
    /** Look of a public page that is rendered: see src/components/looks/choose-by-look.ts. */
    look?: string | null
    /** Answer to the post of a form, and Node's own request: only for src/pages/api/forms. */
    forms: import('./server/forms/forms-endpoint.ts').FormsEndpoint
    incoming: import('node:http').IncomingMessage
    /** The running program; in the admin only, as all that follows. */
    app: import('./app.ts').App
    /** Client's address as limits count it: see src/server/http/client-address.ts. */
    clientAddress: string
    /** Signed-in administrator: set by src/middleware.ts, absent on the few pages that are open to all. */
    administrator: import('./auth/administrator.ts').Administrator
    /** The leads that they may see. */
    leads: import('./db/lead-scope/lead-scope.ts').LeadScope
    session: import('./auth/session.ts').Session
    /** True if they must set up two-step sign-in first. */
    lacksTwoFactors: boolean
    /** The files of an upload, until it is answered. */
    receivedPictures?: readonly import('./server/admin/picture-upload.ts').ReceivedPicture[]
    /** Number of unread leads, if the page counted them: the navigation shows it. */
    unread?: number
    /** Refusal, for the log. */
    refused?: import('./server/refusals/refusal-log.ts').RefusalCode
    /** Error that a page threw, for the server in front. */
    thrown?: { error: unknown }
  }
}

// Made by src/integration/looks/site-fonts.ts.
declare module 'virtual:signpost/fonts.css'
declare module 'virtual:signpost/fonts' {
  /** Addresses of the files to preload, by the name of a pair of fonts. */
  export const FONT_FILES: Readonly<Record<string, readonly string[]>>
  /** Address of the stylesheet of each pair; null in development, and for a pair without fonts. */
  export const FONT_STYLES: Readonly<Record<string, string | null>>
}
