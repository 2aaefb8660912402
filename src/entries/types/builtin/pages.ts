import { form } from '../../meanings/form.ts'
import { picture } from '../../meanings/picture.ts'
import { PAGES } from './slugs.ts'
import type { TypeRules } from './type-rules.ts'

export const pages: TypeRules = {
  slug: PAGES,
  noun: 'entry',
  meanings: { form, picture },
  route: '/{slug}',
  isPlain: true,
}
