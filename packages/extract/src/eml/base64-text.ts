/** Matches a line that is Base64 even where it stands apart from other lines. */
const surely = /^(?:[A-Za-z\d+/]{16,}={0,2}|[A-Za-z\d+/]+={1,2})$/
const maybe = /^[A-Za-z\d+/]+$/
/** Units at both ends of a line that are tested: on megabytes, an expression takes too much memory. */
const testedUnits = 100

/** Returns the length of the Base64 at the beginning of a body, which a mailing list's footer may follow unencoded. */
export const base64Length = (body: string): number => {
  let end = 0
  let continues = true
  for (let from = 0; from < body.length; ) {
    const next = body.indexOf('\n', from) + 1 || body.length
    const whole = body.slice(from, next).trim()
    const line = whole.length > 2 * testedUnits ? whole.slice(0, testedUnits) + whole.slice(-testedUnits) : whole
    if (surely.test(line) || (continues && maybe.test(line))) end = next
    continues = end === next && !line.endsWith('=')
    from = next
  }
  return end
}
