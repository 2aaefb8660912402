/** A place for the picker: its ID, slug, and name, and the ID of the place above it. */
export type PlaceOption = [id: number, slug: string, name: string, parentId: number | null]
