// Markup of mistakes in a form, shared by the templates and the browser's script so that both look the same.

export const SUMMARY_CLASS = 'summary'
export const ERROR_CLASS = 'mistake'
