import { createTurns } from '../lib/background/turns.ts'

/** Runs work after all earlier work has ended, because a large picture takes memory and all processors. */
export const oneAtATime = createTurns()
