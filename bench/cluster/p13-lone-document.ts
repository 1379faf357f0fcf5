import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { loneDocumentFigures, measureLoneDocuments } from '../harness/lone-document.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'

const namespace = 'bench'

export const row: Row = {
  name: 'cluster-P13',
  what: 'a lone document in an idle cluster: from its 202 until a search finds it',
  method:
    "One document of 1 KB at a time, CAIRN_EMBEDDER=lexical, one process of each service, Kafka, the MongoDB-compatible stand-in and the facade over Qdrant's engine; asked for by search again and again until it is a hit, so that a figure holds at least one search. All share both cores.",
  figures: loneDocumentFigures,
  marks: [{ what: '202 to searchable, p95', figure: 'p95', sides: ['cluster'], atMost: 500 }],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      await createNamespace(product, namespace)
      const documents = context.quick ? 10 : 60
      return {
        sides: [{ name: 'cluster', round: () => measureLoneDocuments({ ...product, namespace }, documents) }],
        close: product.close,
      }
    }),
}
