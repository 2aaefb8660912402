import { showMessagesAs } from '#src/lib/messages.ts'

// Imported before a test file, by `node --import`.
showMessagesAs('code')
