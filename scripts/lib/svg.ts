/** Colors of the series in order, distinguishable with red-green color blindness. */
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#f0e442', '#999999']

export const colourAt = (index: number): string => colours[index % colours.length] ?? '#999999'

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns a picture of this size in pixels on a white background; `title` is the accessible name. */
export const svg = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="11.5" fill="#1f2328">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`
