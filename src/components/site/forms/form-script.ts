import { type EmbeddedForm, placeForm } from './form-embed.ts'
import { sendInPlace } from './form-sending.ts'

// Defined before this script if it is part of a form's `embed.js` (src/publish/render/write-embeds.ts).
declare const embeddedForm: EmbeddedForm | undefined

const root = typeof embeddedForm === 'undefined' ? document : placeForm(embeddedForm)
for (const form of root.querySelectorAll<HTMLFormElement>('form[data-form]')) sendInPlace(form)
