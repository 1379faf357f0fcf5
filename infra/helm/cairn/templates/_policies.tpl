{{/* The port of an address, or that of its scheme. */}}
{{- define "cairn.portOf" -}}
{{- $host := (urlParse .).host -}}
{{- $port := regexFind ":[0-9]+$" $host | trimPrefix ":" -}}
{{- $port | default (ternary "443" "80" (hasPrefix "https:" .)) -}}
{{- end }}

{{/* One egress rule: dict root, name (of networkPolicy). Nothing without peers: an empty list would allow all traffic. */}}
{{- define "cairn.egress" -}}
{{- $rule := index .root.Values.networkPolicy .name -}}
{{- $v := .root.Values -}}
{{- $ports := $rule.ports -}}
{{- if not $ports }}
{{- if eq .name "kafka" }}
{{- range $v.kafka.brokers }}{{ $ports = append $ports (splitList ":" . | last) }}{{ end -}}
{{- else }}
{{- $url := get (dict "qdrant" $v.qdrant.url "s3" ($v.s3.endpoint | default "https://s3") "openai" $v.embedder.openai.url "answers" $v.answers.url "rerank" $v.rerank.url) .name -}}
{{- $ports = list (include "cairn.portOf" $url) -}}
{{- end }}
{{- end }}
{{- if $rule.to }}
- to: {{ toJson $rule.to }}
  ports:
    {{- range $ports | uniq }}
    - { protocol: TCP, port: {{ int . }} }
    {{- if eq $.name "dns" }}
    - { protocol: UDP, port: {{ int . }} }
    {{- end }}
    {{- end }}
{{- end }}
{{- end }}

{{/* The way out of one process: dict root, needs. */}}
{{- define "cairn.egressOf" -}}
{{- $v := .root.Values -}}
{{- $names := list "dns" -}}
{{- range list "kafka" "mongodb" "qdrant" "s3" }}{{ if has . $.needs }}{{ $names = append $names . }}{{ end }}{{ end -}}
{{- if has "embedder" .needs }}
{{- $names = append $names "modelHub" -}}
{{- if $v.embedder.openai.url }}{{ $names = append $names "openai" }}{{ end -}}
{{- end }}
{{- if and (has "answers" .needs) $v.answers.url }}{{ $names = append $names "answers" }}{{ end -}}
{{- if and (has "rerank" .needs) $v.rerank.url }}{{ $names = append $names "rerank" }}{{ end -}}
{{- range $names }}
{{- include "cairn.egress" (dict "root" $.root "name" .) }}
{{- end }}
{{- with $v.networkPolicy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The way in: dict root, name. */}}
{{- define "cairn.ingressOf" -}}
{{- $rules := .root.Values.networkPolicy -}}
{{- $from := list -}}
{{- if eq .name "gateway" }}{{ $from = list $rules.clients.from $rules.metrics.from -}}
{{- else if eq .name "edge" }}{{ $from = list $rules.edge.from -}}
{{- else if ne .name "setup" }}{{ $from = list $rules.metrics.from -}}
{{- end }}
{{- range $from }}
{{- if . }}
- from: {{ toJson . }}
  ports: [{ protocol: TCP, port: {{ include "cairn.port" $.name }} }]
{{- end }}
{{- end }}
{{- end }}
