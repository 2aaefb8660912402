import { pictureTexts, referenceTexts } from '#src/messages/admin/entry-problems.ts'
import { form, picture } from '../../meanings/meanings.ts'
import { PAGES } from './slugs.ts'
import type { TypeRules } from './type-rules.ts'

export const pages: TypeRules = {
  slug: PAGES,
  noun: 'entry',
  meanings: {
    // Unlike a service, a page without a form of its own shows none.
    form: { ...form, nothing: referenceTexts.none },
    picture: { ...picture, ...pictureTexts.text },
    picture_alt: pictureTexts.alt,
  },
  route: '/{slug}',
  isPlain: true,
  adminLink: { href: '/admin/home', to: 'homePage', from: 'list' },
}
