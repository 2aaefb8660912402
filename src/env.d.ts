declare namespace App {
  interface Locals {
    /** The public page to render: its view and the partial that shows it. */
    page: import('./site/page.ts').Page
  }
}
