/** Base64 even apart from other lines. */
const surely = /^(?:[A-Za-z\d+/]{16,}={0,2}|[A-Za-z\d+/]+={1,2})$/
const maybe = /^[A-Za-z\d+/]+$/
/** At both ends of a line: on megabytes, an expression takes too much memory. */
const testedUnits = 100

/** Measures the Base64 that begins a body; a mailing list's footer may follow unencoded. */
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
