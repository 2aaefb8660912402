import { pictureTexts } from '#src/messages/admin/entry-problems.ts'
import { form, picture } from '../../meanings/meanings.ts'
import { PAGES } from './slugs.ts'
import type { TypeRules } from './type-rules.ts'

export const pages: TypeRules = {
  slug: PAGES,
  noun: 'entry',
  meanings: { form, picture: { ...picture, ...pictureTexts.text }, picture_alt: pictureTexts.alt },
  route: '/{slug}',
  isPlain: true,
  adminLink: { href: '/admin/home', to: 'homePage', from: 'list' },
}
