import { isEmptyRow, rowsOf } from './row-list.ts'

/** The place of a control in a form, for finding it after a save. */
export type FocusPlace = NamedPlace | RowPlace

/** The control with this name, or one of several. */
interface NamedPlace {
  name: string
  nth: number
}

/** A control of a row in a list of rows. All three are positions. */
interface RowPlace {
  list: number
  /** Among the rows with content; -1 for the button that adds a row. */
  row: number
  control: number
}

/** Returns the place of a control; undefined if it has neither a name nor a row. */
export function placeOf(form: HTMLFormElement, control: Element): FocusPlace | undefined {
  const list = control.closest('[data-rows]')
  if (list) return placeInRows(form, list, control)
  const name = control.getAttribute('name')
  return name ? { name, nth: namedIn(form, name).indexOf(control) } : undefined
}

// A save leaves out empty rows, so their neighbors move up and the focus goes to the button that adds one.
function placeInRows(form: HTMLFormElement, list: Element, control: Element): RowPlace {
  const rows = rowsOf(list).filter((row) => !isEmptyRow(row))
  const row = rows.findIndex((one) => one.contains(control))
  return {
    list: listsIn(form).indexOf(list),
    row,
    control: controlsIn(rows[row]).indexOf(control),
  }
}

/** Finds the control at a place. */
export function findPlace(form: HTMLFormElement, place: FocusPlace): HTMLElement | undefined {
  if ('name' in place) return namedIn(form, place.name)[place.nth] as HTMLElement | undefined
  const list = listsIn(form)[place.list]
  if (!list) return undefined
  const controls = place.row < 0 ? buttonsIn(list) : controlsIn(rowsOf(list)[place.row])
  return controls.at(place.control) as HTMLElement | undefined
}

function namedIn(form: HTMLFormElement, name: string): Element[] {
  return [...form.elements].filter((one) => one.getAttribute('name') === name)
}

function listsIn(form: HTMLFormElement): Element[] {
  return [...form.querySelectorAll('[data-rows]')]
}

function buttonsIn(list: Element): Element[] {
  return [...list.querySelectorAll(':scope > button')]
}

function controlsIn(row: Element | undefined): Element[] {
  return [...(row?.querySelectorAll('input, textarea, select, button') ?? [])]
}
