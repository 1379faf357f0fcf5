/**
 * Returns a `fetch` whose response bodies fail after `mostBytes` bytes: a consumer would keep an endless body in
 * memory.
 */
export const limitedFetch =
  (mostBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength
          if (bytes > mostBytes) controller.error(new Error(`the answer has more than ${mostBytes} bytes`))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
