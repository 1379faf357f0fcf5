{{/* Checks of combinations of values, which a schema can't express. Reports all faults at once, by the values' names. */}}
{{- define "cairn.checks" -}}
{{- $v := .Values -}}
{{- $faults := list -}}
{{- $peers := dict "dns.to" $v.networkPolicy.dns.to "clients.from" $v.networkPolicy.clients.from -}}
{{- $needs := include "cairn.allNeeds" . | fromYamlArray -}}
{{- range $needs }}
{{- $need := include (printf "cairn.need.%s" .) $ | fromYaml -}}
{{- $faults = concat $faults ($need.faults | default list) (compact (list $need.Error)) -}}
{{- range $name, $_ := $need.egress }}{{ $_ := set $peers (printf "%s.to" $name) (index $v.networkPolicy $name).to }}{{ end -}}
{{- end }}
{{- range include "cairn.secretFiles" (dict "root" $ "needs" $needs) | fromYamlArray }}
{{- if and .value .secret }}{{ $faults = append $faults (printf "%s: given here and in existingSecret: which one?" .path) }}{{ end -}}
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

{{- if $v.networkPolicy.enabled }}
{{- if $v.edge.enabled }}{{ $_ := set $peers "edge.from" $v.networkPolicy.edge.from }}{{ end -}}
{{- if and $v.keda.enabled (not $v.keda.prometheus.serverAddress) }}{{ $_ := set $peers "metrics.from" $v.networkPolicy.metrics.from }}{{ end -}}
{{- with $v.embedder }}
{{- $fetches := or (and (eq .provider "local") (not .modelDir)) $v.rerank.localModel -}}
{{- if or (not $fetches) .cache.existingClaim }}{{ $_ := unset $peers "modelHub.to" }}{{ end -}}
{{- end }}
{{- range $name := keys $peers | sortAlpha }}
{{- if not (get $peers $name) }}{{ $faults = append $faults (printf "networkPolicy.%s: has no peers, so it would allow no traffic" $name) }}{{ end -}}
{{- end }}
{{- end }}

{{- if $faults }}{{ fail (printf "\nThe values can't be used:\n  %s" (join "\n  " $faults)) }}{{ end -}}
{{- end }}
