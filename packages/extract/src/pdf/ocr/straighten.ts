import type { GrayImage } from './gray-png.ts'

/** Pixels of the longer side of the picture in which lines are detected. */
const glanceSide = 1_000
/** Squares along the longer side in which the paper's brightness is measured. */
const lightCells = 64
/** Share of a square's pixels that are darker than the paper: letters, their edges, and grain. */
const paperShare = 0.7
/** 0 to 255. Below, the bright part may be the text. */
const minBright = 80
/** A square with a smaller share of the page's paper brightness is a dark background, not a shadow. */
const deepestShadow = 0.5
/** Share of the paper's brightness up to which a pixel is ink. */
const inkShare = 0.8
/** Degrees. Scanners cause less; hand-held phones rarely cause more. */
const maxSlant = 6
/** Degrees. Tesseract reads a smaller slant well, and rotating blurs the picture. */
const minSlant = 0.5
/** Pixels of the reduced picture: longer than letters and than Hindi words. */
const [uprightRule, levelRule] = [40, 60]
/** Pixels of the reduced picture. Strokes of large letters are thicker. */
const ruleThickness = 3
const stripShare = 8
/** Ratio by which one direction must look more like lines of text than the other. */
const clearRatio = 1.5

export type Slant = {
  /** Clockwise, in degrees. */
  readonly degrees: number
  /** Lines run up or down; undefined if the picture is inconclusive. */
  readonly isSideways: boolean | undefined
}

/** `side` × `side` pixels become one. */
const reduced = ({ width, height, pixels }: GrayImage, side: number): GrayImage => {
  const [wide, high] = [Math.floor(width / side), Math.floor(height / side)]
  const result = new Uint8Array(wide * high)
  const sums = new Uint32Array(wide)
  for (let y = 0; y < high; y += 1) {
    sums.fill(0)
    for (let row = y * side; row < (y + 1) * side; row += 1)
      for (let x = 0, index = row * width; x < wide; x += 1)
        for (let step = 0; step < side; step += 1, index += 1) sums[x]! += pixels[index]!
    for (let x = 0; x < wide; x += 1) result[y * wide + x] = sums[x]! / (side * side)
  }
  return { width: wide, height: high, pixels: result }
}

/** Brightness that a share of a square's pixels does not exceed. */
const brightnessPercentile = (counts: Uint32Array, pixels: number, share: number): number => {
  let rest = pixels * (1 - share)
  let value = 255
  for (; value > 1; value -= 1) {
    rest -= counts[value]!
    if (rest < 0) break
  }
  return value
}

/** Squares of `side` pixels, row by row. */
const paperOf = ({ width, height, pixels }: GrayImage, side: number): Uint8Array => {
  const columns = Math.ceil(width / side)
  const paper = new Uint8Array(columns * Math.ceil(height / side))
  const counts = new Uint32Array(256)
  for (let square = 0; square < paper.length; square += 1) {
    const [left, top] = [(square % columns) * side, Math.floor(square / columns) * side]
    const [right, bottom] = [Math.min(width, left + side), Math.min(height, top + side)]
    counts.fill(0)
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) counts[pixels[y * width + x]!]! += 1
    paper[square] = brightnessPercentile(counts, (right - left) * (bottom - top), paperShare)
  }
  return paper
}

/** Divides a picture by its paper's brightness, in place. Dark pages and dark parts of a page keep their contrast. */
export const removeShadows = (image: GrayImage): void => {
  const { width, height, pixels } = image
  const side = Math.ceil(Math.max(width, height) / lightCells)
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)]
  const paper = paperOf(image, side)
  const bright = paper.toSorted()[Math.floor(paper.length * 0.9)] ?? 0
  if (bright < minBright) return
  for (const [square, value] of paper.entries()) paper[square] = Math.max(value, bright * deepestShadow)
  for (let y = 0; y < height; y += 1) {
    const middle = y / side - 0.5
    const above = Math.max(0, Math.floor(middle))
    const below = Math.min(rows - 1, above + 1)
    const part = Math.max(0, middle - above)
    for (let x = 0; x < width; x += 1) {
      const along = x / side - 0.5
      const left = along < 0 ? 0 : Math.floor(along)
      const right = left + 1 < columns ? left + 1 : left
      const share = along < 0 ? 0 : along - left
      const upper = paper[above * columns + left]! * (1 - share) + paper[above * columns + right]! * share
      const lower = paper[below * columns + left]! * (1 - share) + paper[below * columns + right]! * share
      pixels[y * width + x] = Math.min(255, (pixels[y * width + x]! * 255) / (upper * (1 - part) + lower * part))
    }
  }
}

const isInk = (brightness: number): boolean => brightness < 255 * inkShare

/** Returns ink relative to the center, x and y alternating. */
const placesOf = ({ width, height, pixels }: GrayImage): Int16Array => {
  const places = new Int16Array(2 * pixels.reduce((sum, one) => (isInk(one) ? sum + 1 : sum), 0))
  for (let index = 0, to = 0; index < pixels.length; index += 1) {
    if (!isInk(pixels[index]!)) continue
    places[to++] = (index % width) - (width >> 1)
    places[to++] = Math.floor(index / width) - (height >> 1)
  }
  return places
}

/** How well the ink forms lines: the sum of squared differences between neighboring rows. */
const contrastAt = (ink: Int16Array, degrees: number, isSideways: boolean): number => {
  const radians = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)]
  const [byX, byY] = isSideways ? [cos, sin] : [-sin, cos]
  const middle = 2 * glanceSide
  const profile = new Int32Array(2 * middle)
  for (let index = 0; index < ink.length; index += 2)
    profile[Math.round(ink[index]! * byX + ink[index + 1]! * byY) + middle]! += 1
  let sum = 0
  for (let index = 1; index < profile.length; index += 1) sum += (profile[index]! - profile[index - 1]!) ** 2
  return sum
}

const best = (ink: Int16Array, isSideways: boolean, around: number, reach: number, step: number) => {
  let found = { degrees: around, contrast: -1 }
  for (let degrees = around - reach; degrees <= around + reach + step / 2; degrees += step) {
    const contrast = contrastAt(ink, degrees, isSideways)
    if (contrast > found.contrast) found = { degrees, contrast }
  }
  return found
}

/** Needs an evenly lit picture. */
export const slantOf = (image: GrayImage): Slant => {
  const ink = placesOf(reduced(image, Math.max(1, Math.ceil(Math.max(image.width, image.height) / glanceSide))))
  const find = (isSideways: boolean) => {
    const coarse = best(ink, isSideways, 0, maxSlant, 0.5)
    return best(ink, isSideways, coarse.degrees, 0.4, 0.1)
  }
  const [across, down] = [find(false), find(true)]
  const isSideways = down.contrast > across.contrast
  const [more, less] = isSideways ? [down, across] : [across, down]
  return {
    degrees: more.degrees,
    isSideways: more.contrast >= clearRatio * less.contrast ? isSideways : undefined,
  }
}

export const isLevel = (degrees: number): boolean => Math.abs(degrees) < minSlant

/** Rotates counterclockwise; areas from outside the picture become white. */
export const leveled = (image: GrayImage, degrees: number): GrayImage => {
  if (isLevel(degrees)) return image
  const { width, height, pixels } = image
  const radians = (degrees * Math.PI) / 180
  // Fixed-point steps of 1/65,536 pixel: floating point is much slower here.
  const [sin, cos] = [Math.round(Math.sin(radians) * 65_536), Math.round(Math.cos(radians) * 65_536)]
  const result = new Uint8Array(width * height).fill(255)
  for (let y = 0, to = 0; y < height; y += 1) {
    let fromX = (width / 2) * 65_536 - (width / 2) * cos - (y - height / 2) * sin
    let fromY = (height / 2) * 65_536 - (width / 2) * sin + (y - height / 2) * cos
    for (let x = 0; x < width; x += 1, to += 1, fromX += cos, fromY += sin) {
      const [left, top] = [fromX >> 16, fromY >> 16]
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue
      const [right, below] = [(fromX >> 8) & 255, (fromY >> 8) & 255]
      const index = top * width + left
      const upper = pixels[index]! * (256 - right) + pixels[index + 1]! * right
      const lower = pixels[index + width]! * (256 - right) + pixels[index + width + 1]! * right
      result[to] = (upper * (256 - below) + lower * below) >> 16
    }
  }
  return { width, height, pixels: result }
}

/** Where a rule's thickness is measured; spread so that some lie within cells, not on crossing rules. */
const samples = [0.11, 0.29, 0.43, 0.57, 0.71, 0.89]

type Steps = { readonly lines: number; readonly length: number; readonly across: number; readonly along: number }

/** Calls `found` with each run of ink without a gap along a line of pixels or its two neighbors. */
const runsIn = (
  ink: Uint8Array,
  { lines, length, across, along }: Steps,
  minLength: number,
  found: (line: number, from: number, to: number) => void,
) => {
  for (let line = 1; line + 1 < lines; line += 1)
    for (let index = 0, from = 0, place = line * across; index <= length; index += 1, place += along) {
      if (index < length && (ink[place] || ink[place - across] || ink[place + across])) continue
      if (index - from >= minLength) found(line, from, index)
      from = index + 1
    }
}

/** Tesseract mistakes a table with slightly bent rules, as in a photo, for a picture, and skips it. */
export const eraseRules = (image: GrayImage): void => {
  const { width, height, pixels } = image
  const side = Math.max(width, height) / glanceSide
  const ink = pixels.map((one) => (isInk(one) ? 1 : 0))
  const maxThickness = Math.ceil(side * ruleThickness)
  const erase = (steps: Steps, minLength: number) => {
    const { lines, across, along } = steps
    const aside = (line: number, place: number, distance: number) =>
      line + distance < 0 || line + distance >= lines ? 0 : pixels[place + distance * across]!
    runsIn(ink, steps, minLength, (line, from, to) => {
      const thickAt = (index: number) => {
        let thick = 0
        for (let one = Math.max(0, line - maxThickness); one <= Math.min(lines - 1, line + maxThickness); one += 1)
          thick += ink[one * across + index * along]!
        return thick
      }
      const isThin = samples.filter((share) => thickAt(Math.floor(from + (to - from) * share)) <= maxThickness)
      if (isThin.length < 2) return
      for (let index = from; index < to; index += 1) {
        const place = line * across + index * along
        pixels[place] = Math.max(
          pixels[place]!,
          aside(line, place, -maxThickness - 1),
          aside(line, place, maxThickness + 1),
        )
      }
    })
  }
  erase({ lines: width, length: height, across: 1, along: width }, Math.round(side * uprightRule))
  erase({ lines: height, length: width, across: width, along: 1 }, Math.round(side * levelRule))
}

/** Returns an eighth of the picture, along the lines: the strip with the most letters. */
export const denseStrip = ({ width, height, pixels }: GrayImage, isSideways: boolean): GrayImage => {
  const [across, lines] = isSideways ? [height, width] : [width, height]
  const thick = Math.max(1, Math.floor(lines / stripShare))
  const edges = new Uint32Array(stripShare)
  // Letters have more edges than a picture or a dark background.
  for (let line = 0; line < thick * stripShare; line += 2)
    for (let index = 1; index < across; index += 1) {
      const place = isSideways ? index * width + line : line * width + index
      if (isInk(pixels[place]!) !== isInk(pixels[place - (isSideways ? width : 1)]!))
        edges[Math.floor(line / thick)]! += 1
    }
  const start = edges.indexOf(Math.max(...edges)) * thick
  if (!isSideways) return { width, height: thick, pixels: pixels.subarray(start * width, (start + thick) * width) }
  const strip = new Uint8Array(thick * height)
  for (let y = 0; y < height; y += 1)
    strip.set(pixels.subarray(y * width + start, y * width + start + thick), y * thick)
  return { width: thick, height, pixels: strip }
}

/** Transitions between ink and paper along the rows. */
export const edgesIn = ({ width, pixels }: GrayImage): number => {
  let edges = 0
  for (let index = 1; index < pixels.length; index += 1)
    if (isInk(pixels[index]!) !== isInk(pixels[index - 1]!) && index % width !== 0) edges += 1
  return edges
}

type Box = { readonly x0: number; readonly x1: number; readonly y0: number; readonly y1: number }

export const whiten = ({ width, height, pixels }: GrayImage, { x0, x1, y0, y1 }: Box): void => {
  const [left, right] = [Math.max(0, Math.floor(x0)), Math.min(width, Math.ceil(x1))]
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y1); y += 1)
    if (left < right) pixels.fill(255, y * width + left, y * width + right)
}
