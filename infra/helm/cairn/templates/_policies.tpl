{{/* The port of a URL, or the default port of its scheme. */}}
{{- define "cairn.portOf" -}}
{{- $host := (urlParse .).host -}}
{{- $port := regexFind ":[0-9]+$" $host | trimPrefix ":" -}}
{{- $port | default (ternary "443" "80" (hasPrefix "https:" .)) -}}
{{- end }}

{{/*
The egress rules of one process: dict root, needs. Ports are set in the values, or taken from the URLs of the needs. A rule without peers is left
out, because an empty list would allow all traffic.
*/}}
{{- define "cairn.egressOf" -}}
{{- $rules := .root.Values.networkPolicy -}}
{{- $addresses := dict "dns" list -}}
{{- range .needs }}{{ $addresses = merge $addresses ((include (printf "cairn.need.%s" .) $.root | fromYaml).egress | default dict) }}{{ end -}}
{{- range $name := keys $addresses | sortAlpha }}
{{- $rule := index $rules $name }}
{{- $ports := $rule.ports }}
{{- if not $ports }}{{ range get $addresses $name }}{{ $ports = append $ports (include "cairn.portOf" .) }}{{ end }}{{ end }}
{{- if $rule.to }}
- to: {{ toJson $rule.to }}
  ports:
    {{- range $ports | uniq }}
    - { protocol: TCP, port: {{ int . }} }
    {{- if eq $name "dns" }}
    - { protocol: UDP, port: {{ int . }} }
    {{- end }}
    {{- end }}
{{- end }}
{{- end }}
{{- with $rules.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The ingress rules of one process: dict root, name. */}}
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
