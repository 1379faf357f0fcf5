/**
 * Words that readers type for a page that does not have them, or has them in many places. They are here and not in the
 * pages, which are also read as files, by people and by Cairn itself.
 */
const keywords: Readonly<Record<string, string>> = {
  'quick-start.md': 'port, install, getting started, tutorial, npm start, first steps, windows',
  'concepts.md':
    'multi tenant, multi-tenancy, tenants, revoke a key, rotate a key, api key, chunk size, chunking, users, permissions, roles',
  'one-process.md':
    'backup, restore, nginx, caddy, reverse proxy, https, tls, certificate, systemd, service unit, start at boot, disk space, snapshot',
  'deployment.md': 'docker, compose, kubernetes, helm, environment variables, configuration, settings, container image',
  'scaling.md': 'cluster size, replicas, throughput, sharding, high availability',
  'upgrade.md': 'upgrade, 0.1, migration of data, rollback, new version, breaking changes',
  'operations.md':
    'prometheus, grafana, metrics, logs, log level, logging, traces, opentelemetry, monitoring, health check',
  'runbook.md': 'stuck in processing, alerts, repair, orphaned objects, rebuild the index, corrupted, out of memory',
  'api.md': 'rest, openapi, swagger, endpoints, curl',
  'api-notes.md':
    'pagination, paging, next_token, cursor, webhook, webhooks, events, notifications, sse, idempotency, cors, etag',
  'limits.md': 'max file size, maximum size, rate limit, quota, tiers, too large, requests a month',
  'errors.md': 'error codes, status codes, failed, reason, remedy, 400, 401, 403, 404, 409, 413, 429, 503',
  'sdk.md': 'javascript, typescript, python, client library, timeout, retry, retries, browser',
  'cli.md': 'command line, terminal, shell, profiles, login',
  'console.md': 'user interface, web, dashboard, dark mode',
  'mcp.md': 'claude, cursor, vs code, agents, tools, model context protocol',
  'files-report.md': 'file types, formats, pdf, docx, xlsx, pptx, ocr, scanned pdf, images, tables, password protected',
  'guides/hybrid-search.md':
    'synonyms, keyword search, full-text, bm25, exact match, stemming, typos, highlight, rerank, score',
  'guides/filters.md': 'filter, metadata, where, date range, tags, delete by filter',
  'guides/answers.md': 'rag, llm, language model, ollama, openai, chat, streaming, prompt, citations, sources',
  'guides/models.md': 'languages, multilingual, gpu, embedding model, dimension, reindex, change the model, offline',
  'guides/ingest-a-folder.md': 'sync a folder, watch a folder, import csv, upload files, bulk upload, download a file',
  'guides/migrate.md': 'pinecone, qdrant, chroma, weaviate, import, export, move',
  'guides/edge-store.md': 'offline, embedded, local store, export',
}

/** Returns the page's HTML with its keywords in the section of its title, where the site's search index finds them. */
export const withKeywords = (page: string, html: string): string => {
  const words = keywords[page]
  return words === undefined ? html : html.replace('</h1>', `</h1><p>${words}</p>`)
}

/**
 * Options of the site's search, beside those of VitePress. The function is sent to the browser as text, so it must not
 * use anything outside of it. Guides come first, decisions and reports last.
 */
export const searchOptions = {
  boostDocument: (id: string): number =>
    /\/(?:quick-start|concepts|guides\/)/.test(id)
      ? 2
      : /\/(?:adr\/|benchmarks|evaluation|architecture|design)/.test(id)
        ? 0.3
        : 1,
}
