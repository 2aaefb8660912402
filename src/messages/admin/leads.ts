/** Answers and summaries of leads. */
export const leadTexts = {
  yes: 'Yes',
  no: 'No',
  noAnswers: 'No answers',
}
