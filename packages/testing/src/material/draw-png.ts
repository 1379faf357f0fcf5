import { createCanvas } from '@napi-rs/canvas'

export type DrawOptions = {
  readonly width?: number
  readonly height?: number
  /** Default: white paper. */
  readonly isTransparent?: boolean
}

/** Draws a line of text, and returns the picture in each type. */
export const drawPicture = (text: string, { width = 1240, height = 400, isTransparent = false }: DrawOptions = {}) => {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!isTransparent) {
    context.fillStyle = 'white'
    context.fillRect(0, 0, width, height)
  }
  context.font = '48px serif'
  context.fillStyle = 'black'
  context.fillText(text, 80, 160)
  return {
    png: (): Buffer => canvas.toBuffer('image/png'),
    jpeg: (): Buffer => canvas.toBuffer('image/jpeg'),
    webp: (): Buffer => canvas.toBuffer('image/webp'),
    /** One byte a pixel. */
    gray: () => {
      const { data } = context.getImageData(0, 0, width, height)
      return { width, height, pixels: Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0) }
    },
  }
}
