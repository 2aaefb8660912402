import { z } from 'zod'
import { isTurnedOff } from '../../entries/types/read-order.ts'
import { type SettingTexts, settingTexts } from '../../messages/admin/settings/setting-texts.ts'

/** The admin control of a setting or of part of a list row. Its texts are in `src/messages`. */
export interface SettingField {
  /** Section of its screen; parts of a row have none. */
  section?:
    | 'business'
    | 'contact'
    | 'region'
    | 'hours'
    | 'links'
    | 'pages'
    | 'measuring'
    | 'privacy'
    | 'look'
    | 'sections'
    | 'home_intro'
    | 'home_pictures'
    | 'home_texts'
    | 'home_sections'
    | 'home_search'
  /** Choices; an enum uses its values. */
  choices?: 'countries' | 'forms' | 'looks' | 'pictures' | 'time_zones'
  /** Number of lines; makes it a text area. */
  lines?: number
  /** Of an input. */
  type?: 'email' | 'tel'
  placeholder?: string
  /** Default order of a list. */
  usual?: readonly string[]
  /** Texts from the site itself, instead of those in `src/messages`. */
  texts?: SettingTexts
}

/** A setting as the screen and its form use it. */
export interface ShownSetting extends Omit<SettingField, 'texts'> {
  /** Its path in `content/site.yaml`, such as `home.title`. */
  name: string
  texts: SettingTexts
  isRequired: boolean
  isNumber: boolean
  isBoolean: boolean
  /** True if its value is a list of texts, one per line in the form. */
  isList: boolean
  /** The values of an enum, or of a boolean. */
  values: readonly string[] | undefined
  /** Items of a sortable list. */
  ordered: readonly string[] | undefined
  /** Parts of a list's rows. */
  columns: readonly ShownSetting[] | undefined
}

const FIELDS = z.registry<SettingField>()

/** Returns the same schema with its admin control. */
export function field<Schema extends z.ZodType>(schema: Schema, shown: SettingField = {}): Schema {
  const own = schema.clone()
  FIELDS.add(own, shown)
  return own
}

/** Lists an object's settings that have a control, including those of nested objects. */
export function shownSettings(settings: z.ZodObject, { prefix = '', list = '' } = {}): ShownSetting[] {
  return Object.entries(settings.shape).flatMap(([key, given]) => {
    const [schema, name] = [given as z.ZodType, `${prefix}${key}`]
    const bare = bareSchema(schema)
    if (!FIELDS.has(schema))
      return bare instanceof z.ZodObject ? shownSettings(bare, { prefix: `${name}.` }) : []
    const own = FIELDS.get(schema)
    const texts = own?.texts ?? settingTexts[list + name] ?? { label: spokenName(key) }
    const item = bare instanceof z.ZodArray ? (bare.element as z.ZodType) : undefined
    const columns = item instanceof z.ZodObject ? shownSettings(item, { list: `${name}.` }) : undefined
    const ordered = item && valuesOf(item)?.filter((value) => !isTurnedOff(value))
    const kinds = { isNumber: bare instanceof z.ZodNumber, isBoolean: bare instanceof z.ZodBoolean }
    const isList = item !== undefined && !columns && !ordered
    const shown = { ...own, ...kinds, isList, isRequired: bare === schema }
    return [{ ...shown, name, texts, values: valuesOf(bare), ordered, columns }]
  })
}

function valuesOf(bare: z.ZodType): string[] | undefined {
  if (bare instanceof z.ZodBoolean) return ['true', 'false']
  return bare instanceof z.ZodEnum ? bare.options.map(String) : undefined
}

// Without the wrappers for optional values and defaults.
function bareSchema(schema: z.ZodType): z.ZodType {
  return 'innerType' in schema.def ? bareSchema(schema.def.innerType as z.ZodType) : schema
}

/**
 * Makes `Local business` from `LocalBusiness`, `HVAC business` from `HVACBusiness`, `Wide serif` from `wide_serif`.
 */
export function spokenName(name: string): string {
  const words = name.split(/_|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
  const [first = '', ...more] = words.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))
  return [`${first[0]?.toUpperCase()}${first.slice(1)}`, ...more].join(' ')
}
