import { isAppError } from '@cairn/contracts/errors'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { tracedBus } from './traced-bus.ts'
import type { SpanFacts, SpanStart, Tracing } from './tracing.ts'

type Port = 'metadata' | 'vectors' | 'bus' | 'files' | 'embedder' | 'answerer'

type WatchOptions = {
  readonly tracing: Tracing
  /** Not called for a call rejected for its input. */
  readonly onFailure: (store: Port, reason: 'unavailable' | 'internal', error: unknown) => void
}

type Method = (...args: unknown[]) => unknown
/** Undefined: the call gets no span. */
type Describe = (operation: string, args: readonly unknown[]) => SpanStart | undefined

/** Periodic calls, and calls answered from memory: no spans and no failure counts. */
const unwatched = new Set(['now', 'renew', 'dueCount', 'close', 'signPut', 'signPart', 'spanOf'])

/** Measures the first argument that is a list. */
const sizeOf = (args: readonly unknown[]): number | undefined => args.find(Array.isArray)?.length

const reasonOf = (error: unknown): 'unavailable' | 'internal' | undefined => {
  if (isAppError(error)) return error.code === 'unavailable' || error.code === 'internal' ? error.code : undefined
  // An AbortError is no failure: the caller disconnected, or the process is stopping.
  return error instanceof Error && error.name === 'AbortError' ? undefined : 'internal'
}

const query =
  (system: string, collection?: string): Describe =>
  (operation, args) => ({
    name: `${operation} ${collection ?? 'metadata'}`,
    facts: {
      'db.system.name': system,
      'db.operation.name': operation,
      'db.collection.name': collection,
      'db.operation.batch.size': sizeOf(args),
    },
  })

const modelCall = (operation: 'embeddings' | 'chat', name: string, facts: SpanFacts = {}): SpanStart => ({
  name: `${operation} ${name}`,
  kind: 'client',
  facts: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': name, ...facts },
})

/** Records a span for each call within a trace, and counts failures. */
class PortWatch {
  readonly #options: WatchOptions

  constructor(options: WatchOptions) {
    this.#options = options
  }

  metadata(port: Store): Store {
    const stores = Object.entries(port).map(([name, value]) =>
      typeof value === 'object' && value !== null
        ? [name, this.#methods('metadata', value as object, query(port.system, name))]
        : [name, value],
    )
    return this.#methods('metadata', Object.fromEntries(stores) as Store, query(port.system))
  }

  vectors(port: VectorIndex): VectorIndex {
    return this.#methods('vectors', port, query(port.system, 'points'))
  }

  files(port: FileStore): FileStore {
    return this.#methods('files', port, (method) => ({ name: `${method} object`, facts: port.spanOf(method) }))
  }

  bus(port: MessageBus): MessageBus {
    const { tracing } = this.#options
    const publish: MessageBus['publish'] = (topic, messages) =>
      this.#countFailure('bus', port.publish(topic, messages)) as Promise<void>
    return tracing.on ? tracedBus({ ...port, publish }, tracing) : { ...port, publish }
  }

  embedders(port: Embedders): Embedders {
    const watchedEmbedders = new Map<Embedder, Embedder>()
    const of = (embedder: Embedder): Embedder => {
      const watched = watchedEmbedders.get(embedder) ?? this.#embedder(embedder)
      watchedEmbedders.set(embedder, watched)
      return watched
    }
    return {
      ...port,
      current: () => of(port.current()),
      of: (model) => {
        const found = port.of(model)
        return found && of(found)
      },
    }
  }

  answerer<P extends Answerer | undefined>(port: P): P {
    return port && { ...port, write: (request, options) => this.#answer(port.write(request, options), request.model) }
  }

  #methods<P extends object>(store: Port, port: P, describe: Describe): P {
    return Object.fromEntries(
      Object.entries(port).map(([name, value]) => {
        if (typeof value !== 'function' || unwatched.has(name)) return [name, value]
        return [name, this.#method(store, value as Method, name, describe)]
      }),
    ) as P
  }

  #method(store: Port, method: Method, operation: string, describe: Describe): Method {
    const { tracing } = this.#options
    if (!tracing.on) return (...args) => this.#countFailure(store, method(...args))
    return (...args) => {
      // Otherwise each periodic call would start a new trace.
      const what = tracing.isRecording() ? describe(operation, args) : undefined
      if (!what) return this.#countFailure(store, method(...args))
      return tracing.within({ kind: 'client', ...what }, async (span) => {
        const answer = await (this.#countFailure(store, method(...args)) as Promise<unknown>)
        if (Array.isArray(answer) && (store === 'metadata' || store === 'vectors'))
          span.set({ 'db.response.returned_rows': answer.length })
        return answer
      })
    }
  }

  #countFailure(store: Port, answer: unknown): unknown {
    if (answer instanceof Promise) answer.then(undefined, (error: unknown) => this.#failed(store, error))
    return answer
  }

  #failed(store: Port, error: unknown): void {
    const reason = reasonOf(error)
    if (reason) this.#options.onFailure(store, reason, error)
  }

  #embedder(embedder: Embedder): Embedder {
    const { provider, model: name, dimension } = embedder.model
    const describe: Describe = (_operation, args) =>
      modelCall('embeddings', name, {
        'gen_ai.provider.name': provider,
        'gen_ai.embeddings.dimension.count': dimension,
        'cairn.texts': sizeOf(args),
      })
    const embed = this.#method('embedder', embedder.embed as Method, 'embed', describe) as Embedder['embed']
    return { ...embedder, embed }
  }

  /** Records one span from the question to the last token. */
  async *#answer(answer: AsyncIterable<string>, name: string): AsyncGenerator<string> {
    const { tracing } = this.#options
    const span = tracing.isRecording() ? tracing.start(modelCall('chat', name)) : undefined
    try {
      yield* answer
    } catch (error) {
      span?.fail(error)
      this.#failed('answerer', error)
      throw error
    } finally {
      span?.end()
    }
  }
}

export const createPortWatch = (options: WatchOptions): PortWatch => new PortWatch(options)
