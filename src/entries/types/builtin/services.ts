import { pictureTexts } from '#src/messages/admin/entry-problems.ts'
import { deleteEntries } from '../../entry-store.ts'
import { advanced, form, icon, picture, places, sections } from '../../meanings/meanings.ts'
import { followService, listEntriesAbout, renameInEntries } from '../../offers/follow-service.ts'
import { alignLocationServiceSlugs, listOffersOfService } from '../../offers/location-service-store.ts'
import { SERVICES } from './slugs.ts'
import type { TypeRules } from './type-rules.ts'

export const services: TypeRules = {
  slug: SERVICES,
  noun: 'service',
  meanings: {
    form,
    icon,
    offered_in: places,
    hero: pictureTexts.hero,
    picture: { ...picture, ...pictureTexts.text },
    picture_alt: pictureTexts.alt,
    gallery: pictureTexts.gallery,
    before_picture: pictureTexts.before,
    after_picture: pictureTexts.after,
    sections: sections('service'),
    position: advanced,
  },
  route: '/services/{slug}',
  adminLink: { href: '/admin/coverage', to: 'coverage', from: 'entry' },
  afterSave: followService,
  afterRename: async (db, { id, from, to }, clock) => {
    await alignLocationServiceSlugs(db, { serviceId: id }, clock)
    await renameInEntries(db, { from, to }, clock)
  },
  parts: listOffersOfService,
  namedBy: listEntriesAbout,
  beforeRemoval: async (db, { id, slug }, clock) => {
    const pages = (await listOffersOfService(db, id)).map((offer) => offer.id)
    await deleteEntries(db, pages)
    await renameInEntries(db, { from: slug, to: undefined }, clock)
  },
}
