// The thread of password-rules.ts: posts the guesses that a password takes.
import { parentPort, workerData } from 'node:worker_threads'
import { countGuesses } from './count-guesses.ts'

parentPort?.postMessage(countGuesses(workerData))
