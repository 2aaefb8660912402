/** A place in the picker: its ID, slug, name, and parent ID. */
export type PlaceOption = [id: number, slug: string, name: string, parentId: number | null]
