import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { dialableNumber } from '../phone-number.ts'

const nameList = new Intl.ListFormat('en')

const NOTICES = {
  address_missing: () =>
    'Your business has no address, so search engines don’t list it as a local business. Add the address in the settings.',
  undialable: ({ phone, country }: { phone: string; country: string }) =>
    `“${phone}” can’t be dialed, so it has no link. Enter ${dialableNumber(country)}.`,
  picture_foreign: ({ title, address }: { title: string; address: string }) =>
    `“${title}” can’t show ${address}, a picture on another site. Upload the picture, then replace the address with the picture’s name.`,
  picture_missing: ({ title, name }: { title: string; name: string }) =>
    `“${title}” uses the picture ${name}, which doesn’t exist. Upload the picture, or choose another.`,
  old_number: ({ title, phone }: { title: string; phone: string }) =>
    `“${title}” still shows the old phone number, ${phone}.`,
  undrawable: ({ names, more }: { names: readonly string[]; more: number }) =>
    `Pictures for shared links can’t show every character in ${nameList.format([...names.map((name) => `“${name}”`), ...(more > 0 ? [`${more} more`] : [])])}. These pictures support only Latin, Greek, Cyrillic, and Japanese text.`,
}

/** Something on the site that visitors or search engines miss. */
export type Notice = MessageOf<typeof NOTICES>

/** The sentence of a notice. */
export const describeNotice = createMessages(NOTICES)
