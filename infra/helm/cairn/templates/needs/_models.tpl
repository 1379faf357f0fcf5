{{- define "cairn.need.embedder" -}}
{{- with .Values.embedder }}
env:
  CAIRN_EMBEDDER: {{ .provider | quote }}
  CAIRN_EMBEDDER_WORKERS: {{ int .workers }}
  CAIRN_LOCAL_MODEL: {{ .localModel | quote }}
  CAIRN_LOCAL_MODELS: {{ join "," .localModels | quote }}
  CAIRN_MODEL_DIR: {{ .modelDir | quote }}
  CAIRN_MAVEN_URL: {{ .mavenUrl | quote }}
  CAIRN_CACHE_DIR: /cache
{{- with .openai }}
{{- if .url }}
  CAIRN_OPENAI_URL: {{ .url | quote }}
  CAIRN_OPENAI_MODEL: {{ .model | quote }}
  CAIRN_OPENAI_DIMENSION: {{ int .dimension }}
  CAIRN_OPENAI_MAX_TOKENS: {{ int .maxTokens }}
  CAIRN_OPENAI_BATCH_SIZE: {{ int .batchSize }}
  CAIRN_OPENAI_TIMEOUT_MS: {{ int .timeoutMs }}
secrets:
  CAIRN_OPENAI_API_KEY: embedder.openai.apiKey
{{- end }}
{{- end }}
egress:
  modelHub: []
{{- if .openai.url }}
  openai: [{{ .openai.url | quote }}]
{{- end }}
{{- if and (or (eq .provider "openai") .openai.url .openai.model .openai.dimension) (not (and .openai.url .openai.model .openai.dimension)) }}
faults: ["embedder.openai: needs url, model and dimension"]
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.need.answers" -}}
{{- with .Values.answers }}
{{- if .url }}
env:
  CAIRN_ANSWER_URL: {{ .url | quote }}
  CAIRN_ANSWER_MODEL: {{ .model | quote }}
  CAIRN_ANSWER_MODELS: {{ .models | quote }}
  CAIRN_ANSWER_TIMEOUT_MS: {{ int .timeoutMs }}
secrets:
  CAIRN_ANSWER_API_KEY: answers.apiKey
egress:
  answers: [{{ .url | quote }}]
{{- end }}
{{- if ne (empty .url) (empty .model) }}
faults: ["answers: url and model go together"]
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.need.rerank" -}}
{{- with .Values.rerank }}
env:
  CAIRN_RERANK_MODEL_DIR: {{ .modelDir | quote }}
  CAIRN_RERANK_LOCAL_MODEL: {{ .localModel | quote }}
{{- if or .url .modelDir .localModel }}
  CAIRN_RERANK_MODEL: {{ .model | quote }}
  CAIRN_RERANK_TIMEOUT_MS: {{ int .timeoutMs }}
{{- end }}
{{- if .url }}
  CAIRN_RERANK_URL: {{ .url | quote }}
  CAIRN_RERANK_FORM: {{ .form | quote }}
secrets:
  CAIRN_RERANK_API_KEY: rerank.apiKey
egress:
  rerank: [{{ .url | quote }}]
{{- else if .localModel }}
egress:
  modelHub: []
{{- end }}
{{- if gt (len (compact (list .url .modelDir .localModel))) 1 }}
faults: ["rerank: only one of url, modelDir and localModel can be set"]
{{- else if and .url (eq .form "cohere") (not .model) }}
faults: ["rerank: needs model, unless form is tei"]
{{- end }}
{{- end }}
{{- end }}
