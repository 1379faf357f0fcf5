const begin = /^begin(-base64)? [0-7]{3,4} (.+)$/

/** Whether a line has the length that its first character states; trailing blanks may be missing. */
const isEncoded = (line: string): boolean => {
  const units = Math.ceil(((line.charCodeAt(0) - 32) & 63) / 3) * 4
  return /^[ -`]+$/.test(line) && line.length <= units + 2 && line.trimEnd().length + 8 > units
}

export const withoutUuencoded = (text: string): { readonly text: string; readonly names: readonly string[] } => {
  if (!/^begin(?:-base64)? [0-7]{3}/m.test(text)) return { text, names: [] }
  const names: string[] = []
  const kept: string[] = []
  let isInside: ((line: string) => boolean) | undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, base64, name] = begin.exec(line) ?? []
    const encoded = base64 ? (next: string) => /^[A-Za-z\d+/]+=*$/.test(next) : isEncoded
    if (!isInside && name !== undefined && encoded(lines[index + 1] ?? '')) {
      names.push(name.trim())
      isInside = encoded
    } else if (isInside && /^(?:end|====)\s*$/.test(line)) isInside = undefined
    else if (!isInside?.(line)) {
      isInside = undefined
      kept.push(line)
    }
  }
  return { text: kept.join('\n'), names }
}
