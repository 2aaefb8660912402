import { z } from 'zod'

/** How the admin shows a setting, or a part of a list's rows. */
export interface SettingField {
  label: string
  help?: string
  /** Where it is on the screen; a part of a row has none. */
  section?: 'business' | 'contact' | 'region' | 'hours' | 'links' | 'pages' | 'measuring' | 'look' | 'home'
  /** Labels by value, or what can be chosen; an enum has its values. */
  choices?: Readonly<Record<string, string>> | 'countries' | 'forms' | 'pictures' | 'time_zones'
  /** Label of the empty choice. */
  none?: string
  /** Makes it a text area with this many lines. */
  lines?: number
  /** Of an input. */
  type?: 'email' | 'tel'
  placeholder?: string
  /** Of a list: what a row is called. */
  row?: string
}

/** A setting as the screen and its form know it. */
export interface ShownSetting extends SettingField {
  /** The way to it in `content/site.yaml`, such as `home.title`. */
  name: string
  isRequired: boolean
  isNumber: boolean
  isBoolean: boolean
  /** The values of an enum. */
  values: readonly string[] | undefined
  /** Parts of the rows of a list. */
  columns: readonly ShownSetting[] | undefined
}

const FIELDS = z.registry<SettingField>()

/** The same schema with what the admin shows of it. */
export function field<Schema extends z.ZodType>(schema: Schema, shown: SettingField): Schema {
  const own = schema.clone()
  FIELDS.add(own, shown)
  return own
}

/** Lists the settings of an object that have a field, those of objects in it too. */
export function shownSettings(settings: z.ZodObject, prefix = ''): ShownSetting[] {
  return Object.entries(settings.shape).flatMap(([key, given]) => {
    const [schema, name] = [given as z.ZodType, `${prefix}${key}`]
    const shown = FIELDS.get(schema)
    const bare = bareSchema(schema)
    if (!shown) return bare instanceof z.ZodObject ? shownSettings(bare, `${name}.`) : []
    const values = bare instanceof z.ZodEnum ? bare.options.map(String) : undefined
    const columns = bare instanceof z.ZodArray ? shownSettings(bare.element as z.ZodObject) : undefined
    const isNumber = bare instanceof z.ZodNumber
    const isBoolean = bare instanceof z.ZodBoolean
    return [{ ...shown, name, values, columns, isNumber, isBoolean, isRequired: bare === schema }]
  })
}

// Without what makes it optional or gives it a default.
function bareSchema(schema: z.ZodType): z.ZodType {
  return 'innerType' in schema.def ? bareSchema(schema.def.innerType as z.ZodType) : schema
}

/** `Local Business` of `LocalBusiness`, `Wide serif` of `wide_serif`. */
export function spokenName(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}
