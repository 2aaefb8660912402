// The thread of guesses-thread.ts: answers each password with the number of guesses it takes.
import { parentPort } from 'node:worker_threads'
import { countGuesses } from './count-guesses.ts'

parentPort?.on('message', (judged) => parentPort?.postMessage(countGuesses(judged)))
