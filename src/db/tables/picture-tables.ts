import type { Generated } from 'kysely'

export interface PictureTables {
  /** Pictures that pages show. Their bytes are in the picture store. */
  library_pictures: {
    id: Generated<number>
    /** Name of its file in `content/pictures`: `austin-shop.jpg`. */
    name: string
    sha256: string
    /** In pixels, after rotation and before cropping. */
    width: number
    height: number
    /** In bytes. */
    size: number
    /** Empty for a decorative picture; null if not set yet. */
    alt: string | null
    focal_json: string | null
    crop_json: string | null
    tags_json: Generated<string>
    created_at: Generated<string>
    updated_at: Generated<string>
  }
  /** Files of replaced pictures. Their details are in `content_versions`. */
  picture_versions: {
    id: Generated<number>
    picture_id: number
    sha256: string
    width: number
    height: number
    size: number
    crop_json: string | null
    replaced_at: string
  }
  /** Files of pictures in the trash. */
  trashed_picture_files: {
    trash_id: number
    sha256: string
  }
  /** Pictures that entries name in texts and fields, including missing ones. */
  picture_uses: {
    entry_id: number
    name: string
  }
}
