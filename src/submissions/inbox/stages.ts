/** Stages of a lead, in the order of the work. */
export const STAGES = ['new', 'contacted', 'quoted', 'won', 'lost'] as const

export type Stage = (typeof STAGES)[number]
