import { type PageBox, type PlacedStretch, placesWithin } from './places.ts'

/** Whether a box continues the line of the one before it: words of scans have a box each. */
const continuesLine = (before: PageBox, next: PageBox): boolean => {
  const height = Math.min(before.y1 - before.y0, next.y1 - next.y0)
  const shared = Math.min(before.y1, next.y1) - Math.max(before.y0, next.y0)
  const gap = Math.max(next.x0 - before.x1, before.x0 - next.x1)
  return shared * 2 >= height && gap <= height
}

/** Boxes of a part of a text, one for each line. `places` are those of the whole text. */
export const boxesWithin = (
  text: string,
  places: readonly PlacedStretch[],
  part: Pick<PlacedStretch, 'start' | 'end'>,
): PageBox[] => {
  const boxes: PageBox[] = []
  for (const { start: _start, end: _end, ...box } of placesWithin(text, places, part)) {
    const before = boxes.at(-1)
    if (before && continuesLine(before, box))
      boxes[boxes.length - 1] = {
        x0: Math.min(before.x0, box.x0),
        y0: Math.min(before.y0, box.y0),
        x1: Math.max(before.x1, box.x1),
        y1: Math.max(before.y1, box.y1),
      }
    else boxes.push(box)
  }
  return boxes
}
