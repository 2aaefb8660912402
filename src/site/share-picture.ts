/** The size that sites which show links ask for. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630
