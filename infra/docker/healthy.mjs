// Exits with 0 if this container's service answers `/livez`, or the given path, with success: node
// infra/docker/healthy.mjs /readyz
const isEdge = process.env.SERVICE === 'edge'
const path = process.argv[2] ?? (isEdge ? '/health' : '/livez')
const port = process.env.PORT || (isEdge ? 8080 : 3000)

try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_500) })
  process.exitCode = answer.ok ? 0 : 1
  // Docker keeps the output of a health check, so print the reason of a failure.
  if (!answer.ok) process.stdout.write(`${answer.status} ${(await answer.text()).slice(0, 1_000)}\n`)
} catch (error) {
  process.exitCode = 1
  process.stdout.write(`${error instanceof Error ? (error.cause ?? error) : error}\n`)
}
