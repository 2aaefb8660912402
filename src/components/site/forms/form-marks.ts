// Markup of form errors, shared by the templates and the browser script so that both look the same.

export const SUMMARY_CLASS = 'sp-summary'
export const ERROR_CLASS = 'sp-mistake'
