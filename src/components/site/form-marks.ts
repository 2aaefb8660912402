// How a form shows mistakes, shared by the templates and the browser's script so that both look the same.

export const SUMMARY_CLASS = 'mt-4 rounded-box border-2 border-error p-4'
export const SUMMARY_HEADING_CLASS = 'font-semibold'
export const SUMMARY_LIST_CLASS = 'mt-1 list-disc pl-5'
export const ERROR_CLASS = 'mt-1 font-medium text-error'

export function summaryHeading(count: number): string {
  return `Please check ${count === 1 ? 'one answer' : `${count} answers`}`
}
