{{/* What a schema can't say: what goes together. All of it at once, by the values' names. */}}
{{- define "cairn.checks" -}}
{{- $v := .Values -}}
{{- $faults := list -}}
{{- $twice := "given here and in existingSecret: which one?" -}}

{{- with $v.kafka.sasl }}
{{- if .mechanism }}
{{- if not .username }}{{ $faults = append $faults "kafka.sasl.username: is required with mechanism" }}{{ end -}}
{{- if not (or .password .existingSecret) }}{{ $faults = append $faults "kafka.sasl: needs password or existingSecret" }}{{ end -}}
{{- else if or .username .password .existingSecret }}{{ $faults = append $faults "kafka.sasl.mechanism: is required with username and password" }}{{ end -}}
{{- if and .password .existingSecret }}{{ $faults = append $faults (printf "kafka.sasl.password: %s" $twice) }}{{ end -}}
{{- end }}
{{- with $v.kafka.tls }}
{{- $pem := or .caKey .certKey .keyKey -}}
{{- if and $pem (not .enabled) }}{{ $faults = append $faults "kafka.tls: has keys, but is not enabled" }}{{ end -}}
{{- if and $pem (not .existingSecret) }}{{ $faults = append $faults "kafka.tls.existingSecret: is required with caKey, certKey, keyKey" }}{{ end -}}
{{- if ne (empty .certKey) (empty .keyKey) }}{{ $faults = append $faults "kafka.tls: certKey and keyKey go together" }}{{ end -}}
{{- end }}

{{- if not (or $v.mongodb.url $v.mongodb.existingSecret) }}{{ $faults = append $faults "mongodb: needs url or existingSecret" }}{{ end -}}
{{- if and $v.mongodb.url $v.mongodb.existingSecret }}{{ $faults = append $faults (printf "mongodb.url: %s" $twice) }}{{ end -}}
{{- if and $v.qdrant.apiKey $v.qdrant.existingSecret }}{{ $faults = append $faults (printf "qdrant.apiKey: %s" $twice) }}{{ end -}}
{{- with $v.s3 }}
{{- if ne (empty .accessKeyId) (empty .secretAccessKey) }}{{ $faults = append $faults "s3: accessKeyId and secretAccessKey go together" }}{{ end -}}
{{- if and .accessKeyId .existingSecret }}{{ $faults = append $faults (printf "s3.accessKeyId: %s" $twice) }}{{ end -}}
{{- end }}
{{- with $v.secrets }}
{{- if eq (empty .existingSecret) (not .generate) }}{{ $faults = append $faults "secrets: needs existingSecret, or generate: true (not both)" }}{{ end -}}
{{- if and .apiKeyKey .generate }}{{ $faults = append $faults "secrets.apiKeyKey: needs existingSecret; the chart can't make an API key" }}{{ end -}}
{{- end }}

{{- with $v.embedder }}
{{- $isAll := and .openai.url .openai.model .openai.dimension -}}
{{- $isWanted := or (eq .provider "openai") .openai.url .openai.model .openai.dimension -}}
{{- if and $isWanted (not $isAll) }}{{ $faults = append $faults "embedder.openai: needs url, model and dimension" }}{{ end -}}
{{- if and .openai.apiKey .openai.existingSecret }}{{ $faults = append $faults (printf "embedder.openai.apiKey: %s" $twice) }}{{ end -}}
{{- end }}
{{- with $v.answers }}
{{- if ne (empty .url) (empty .model) }}{{ $faults = append $faults "answers: url and model go together" }}{{ end -}}
{{- if and .apiKey .existingSecret }}{{ $faults = append $faults (printf "answers.apiKey: %s" $twice) }}{{ end -}}
{{- end }}

{{- with $v.rerank }}
{{- if and .url (eq .form "cohere") (not .model) }}{{ $faults = append $faults "rerank: needs model, unless form is tei" }}{{ end -}}
{{- if and .apiKey .existingSecret }}{{ $faults = append $faults (printf "rerank.apiKey: %s" $twice) }}{{ end -}}
{{- end }}

{{- $scaled := dict "gateway.autoscaling" $v.gateway.autoscaling -}}
{{- range list "ingestion" "filePipeline" "deletion" }}{{ $_ := set $scaled (printf "%s.scaling" .) (index $v .).scaling }}{{ end -}}
{{- range $name, $scaling := $scaled }}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) }}{{ $faults = append $faults (printf "%s: minReplicas is more than maxReplicas" $name) }}{{ end -}}
{{- end }}

{{- if and $v.ingress.enabled (not $v.ingress.hosts) }}{{ $faults = append $faults "ingress.hosts: names no host" }}{{ end -}}
{{- with $v.httpRoute }}
{{- if and .enabled (not (and .parentRefs .hostnames)) }}{{ $faults = append $faults "httpRoute: needs parentRefs and hostnames" }}{{ end -}}
{{- end }}
{{- if and (not $v.serviceAccount.create) (not $v.serviceAccount.name) }}{{ $faults = append $faults "serviceAccount.name: is required with create: false" }}{{ end -}}
{{- with $v.edge }}
{{- if and .enabled (eq (empty .key) (empty .existingSecret)) }}{{ $faults = append $faults "edge: needs key or existingSecret (one of them)" }}{{ end -}}
{{- end }}

{{- if $v.networkPolicy.enabled }}
{{- $peers := dict "dns.to" $v.networkPolicy.dns.to "clients.from" $v.networkPolicy.clients.from -}}
{{- range list "kafka" "mongodb" "qdrant" "s3" }}{{ $_ := set $peers (printf "%s.to" .) (index $v.networkPolicy .).to }}{{ end -}}
{{- if $v.embedder.openai.url }}{{ $_ := set $peers "openai.to" $v.networkPolicy.openai.to }}{{ end -}}
{{- if $v.answers.url }}{{ $_ := set $peers "answers.to" $v.networkPolicy.answers.to }}{{ end -}}
{{- if $v.rerank.url }}{{ $_ := set $peers "rerank.to" $v.networkPolicy.rerank.to }}{{ end -}}
{{- if $v.edge.enabled }}{{ $_ := set $peers "edge.from" $v.networkPolicy.edge.from }}{{ end -}}
{{- if and $v.keda.enabled (not $v.keda.prometheus.serverAddress) }}{{ $_ := set $peers "metrics.from" $v.networkPolicy.metrics.from }}{{ end -}}
{{- with $v.embedder }}
{{- if and (eq .provider "local") (not .modelDir) (not .cache.existingClaim) }}{{ $_ := set $peers "modelHub.to" $v.networkPolicy.modelHub.to }}{{ end -}}
{{- end }}
{{- range $name := keys $peers | sortAlpha }}
{{- if not (get $peers $name) }}{{ $faults = append $faults (printf "networkPolicy.%s: has no peers, so it would allow no traffic" $name) }}{{ end -}}
{{- end }}
{{- end }}

{{- if $faults }}{{ fail (printf "\nThe values can't be used:\n  %s" (join "\n  " $faults)) }}{{ end -}}
{{- end }}
