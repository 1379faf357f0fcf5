import { invalidField } from '@cairn/contracts/failures'
import { type SearchMode, searchBody } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { NamespaceSearch } from './search-namespaces.ts'

/** Clients that give a threshold chose it for cosines. */
export const defaultMode = (sent: { readonly isKiosk: boolean; readonly threshold: number | undefined }): SearchMode =>
  sent.isKiosk || sent.threshold !== undefined ? 'semantic' : 'hybrid'

const seconds = (ms: number): number => Math.round(ms) / 1_000

export const search =
  ({ clock, searchNamespaces }: Pick<GatewayPorts, 'clock'> & { readonly searchNamespaces: NamespaceSearch }) =>
  async (call: Call): Promise<Reply> => {
    const from = clock.monotonic()
    const { query, namespaces, top_k: topK, kiosk_mode: isKiosk, threshold, ...sent } = parse(searchBody, call.body)
    if (typeof query !== 'string' && sent.mode !== undefined && sent.mode !== 'semantic')
      throw invalidField('mode', 'must be semantic when the query is a vector, which has no words')
    const parsedAt = clock.monotonic()
    const hits = await searchNamespaces({
      accountId: call.account.id,
      query,
      namespaces,
      topK,
      threshold: (isKiosk ? threshold : undefined) ?? 0,
      mode: sent.mode ?? defaultMode({ isKiosk, threshold }),
      filter: sent.filter,
    })
    const { results, read, complete, degraded, validatedAt, searchedAt, embedMs } = hits
    const endedAt = clock.monotonic()
    return {
      status: 200,
      body: {
        results: results.map(({ explanation, ...hit }) => (sent.explain ? { ...hit, explanation } : hit)),
        execution_time: seconds(endedAt - from),
        timings: {
          parse_validate: seconds(parsedAt - from),
          validate_namespace: seconds(validatedAt - parsedAt),
          prepare_vector: seconds(embedMs),
          fetch_data: seconds(searchedAt - validatedAt - embedMs),
          format_response: seconds(endedAt - searchedAt),
          total: seconds(endedAt - from),
        },
        optimization_info: {
          fetch_strategy: 'single_phase_with_early_filtering',
          initial_fetch: 'complete_data_with_early_filtering',
          complete_fetch: complete ? 'no_additional_fetch_needed' : `stopped_after_${limits.searchReadPoints}_points`,
          points_read: read,
        },
        ...(degraded.length > 0 && { degraded }),
      },
    }
  }
