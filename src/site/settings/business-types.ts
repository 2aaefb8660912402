import type { LocalBusiness } from 'schema-dts'

type BusinessType = Extract<LocalBusiness, { '@type': string }>['@type']

/** Kinds of local businesses that schema.org names; `LocalBusiness` fits where no other does. */
export const BUSINESS_TYPES = [
  'LocalBusiness',
  ...['AnimalShelter', 'AutoBodyShop', 'AutoDealer', 'AutomotiveBusiness', 'AutoRental', 'AutoRepair'],
  ...[
    'AutoWash',
    'Bakery',

    'BeautySalon',
    'CafeOrCoffeeShop',
    'ChildCare',
    'DaySpa',
    'Dentist',
  ],
  ...['DryCleaningOrLaundry', 'Electrician', 'EmergencyService', 'EmploymentAgency'],
  ...['ExerciseGym', 'FinancialService', 'Florist', 'FoodEstablishment', 'FurnitureStore', 'GardenStore'],
  ...['GeneralContractor', 'HairSalon', 'HardwareStore', 'HealthAndBeautyBusiness', 'HealthClub'],
  ...['HomeAndConstructionBusiness', 'HousePainter', 'HVACBusiness', 'InsuranceAgency', 'LegalService'],
  ...['Locksmith', 'LodgingBusiness', 'MedicalBusiness', 'MedicalClinic', 'MovingCompany', 'NailSalon'],
  ...['Notary', 'Optician', 'PetStore', 'Pharmacy', 'Plumber', 'ProfessionalService', 'RealEstateAgent'],
  ...['RecyclingCenter', 'Restaurant', 'RoofingContractor', 'SelfStorage', 'SportsActivityLocation', 'Store'],
  ...['TireShop', 'TravelAgency'],
] as const satisfies readonly BusinessType[]
