/** A lead of the pictures: who asks, for what, on the page of which place. */
export interface PicturedLead {
  full_name: string
  email: string
  phone: string
  service: string
  property_type: 'house' | 'apartment' | 'business'
  budget?: number
  details: string
  place: string
}

const lead = (
  [full_name, phone]: [name: string, phone: string],
  [service, place]: [service: string, place: string],
  more: Pick<PicturedLead, 'details'> & Partial<PicturedLead>,
): PicturedLead => ({
  full_name,
  email: `${full_name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@example.com`,
  phone,
  service,
  property_type: 'house',
  place,
  ...more,
})

/** In the order in which they arrive. */
export const LEADS: readonly PicturedLead[] = [
  lead(['Dana Whitfield', '(405) 555-0168'], ['furnace-repair', 'norman'], {
    details: 'The furnace starts, runs for a minute, and stops again.',
  }),
  lead(['Marcus Oyelaran', '(713) 555-0133'], ['drain-cleaning', 'houston'], {
    details: 'Kitchen sink and dishwasher back up together.',
    property_type: 'apartment',
  }),
  lead(['Priya Raman', '(214) 555-0119'], ['ev-charger-installation', 'plano'], {
    details: 'Two chargers in a detached garage, about 60 feet from the panel.',
    budget: 3800,
  }),
  lead(['Luis Cantu', '(210) 555-0174'], ['ac-repair', 'san-antonio'], {
    details: 'Lukewarm air upstairs since yesterday.',
  }),
  lead(['Harper & Sons Dental', '(512) 555-0186'], ['electrical-panel-upgrade', 'austin'], {
    details: 'We are adding a second X-ray room and need more circuits.',
    property_type: 'business',
    budget: 9000,
  }),
  lead(['Renee Thibodeaux', '(281) 555-0145'], ['water-heater-replacement', 'katy'], {
    details: 'The tank is 14 years old and leaks at the bottom.',
  }),
  lead(['Tom Akers', '(918) 555-0127'], ['furnace-repair', 'tulsa'], {
    details: 'Burning smell when it starts for the first time this fall.',
  }),
  lead(['Maria Sanchez', '(512) 555-0102'], ['ac-repair', 'hyde-park'], {
    details: 'The upstairs unit runs all day and the air is lukewarm. It is about 14 years old.',
    budget: 3000,
  }),
]
