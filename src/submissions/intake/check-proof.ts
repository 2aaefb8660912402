import { antiSpamRules } from '../../forms/anti-spam.ts'
import type { Form } from '../../forms/form.ts'
import { type AnswerProblem, describeAnswer } from '../../messages/visitor/answers.ts'
import type { ProofOfWork } from '../limits/proof-of-work.ts'
import type { SpentChallenge } from '../limits/spent-challenge-store.ts'

interface ProofProblem {
  problem: AnswerProblem
}

/** The problem with a proof that is wrong, expired, or already used. */
export const FAILED_PROOF: ProofProblem = { problem: { code: 'bot_check_failed' } }

/**
 * Checks the proof of work, if the form requires one; returns the challenge that the post uses up, or the problem.
 */
export async function checkProof(
  proofOfWork: ProofOfWork | undefined,
  form: Form,
  body: Readonly<Record<string, unknown>>,
): Promise<{ spends: SpentChallenge | undefined } | ProofProblem> {
  if (!antiSpamRules(form.settings).needsProofOfWork) return { spends: undefined }
  if (body._altcha === undefined || body._altcha === '') return { problem: { code: 'bot_check_missing' } }
  const spends = await proofOfWork?.check(form.slug, body._altcha)
  return spends ? { spends } : FAILED_PROOF
}

/** Converts the problem to the errors of a response. */
export function proofErrors({ problem }: ProofProblem): Record<string, string[]> {
  return { _altcha: [describeAnswer(problem)] }
}
