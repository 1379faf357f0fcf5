import { InferenceSession, Tensor } from 'onnxruntime-node'

/** Call it in the main thread before the first session. */
export const disableTelemetry = (): void => {
  // Threads have copies of the environment that native code does not read.
  // biome-ignore lint/style/noProcessEnv: set, not read; native code offers no other way
  process.env.ORT_DISABLE_TELEMETRY = '1'
}

/** Runs one text at a time: measured faster than batches, which are padded to their longest text. */
export const openModel = async (file: string) => {
  const session = await InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Texts differ in length, so a stored memory pattern hardly ever fits and only uses memory.
    enableMemPattern: false,
  })
  const { inputNames, outputNames } = session
  const output = outputNames.includes('last_hidden_state') ? 'last_hidden_state' : (outputNames[0] ?? '')
  /** `types` holds the type of each token; default 0. Nothing is padded, so the mask is all ones. */
  return async (ids: readonly number[], types?: readonly number[]): Promise<Tensor | undefined> => {
    const shape = [1, ids.length]
    const inputs = {
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', BigInt64Array.from(types ?? ids.map(() => 0), BigInt), shape),
    }
    const modelInputs = Object.entries(inputs).filter(([name]) => inputNames.includes(name))
    return (await session.run(Object.fromEntries(modelInputs)))[output]
  }
}
