{{/*
Lists the files of /secrets that the needs require (dict root, needs), one per line: name (of the variable), path (of the value), file, and
either the Secret and the key that contain the value, or the value, which the chart then stores in its own Secret. For the path a.b: a.b is the
value, a.bKey the key in a.existingSecret.
*/}}
{{- define "cairn.secretFiles" -}}
{{- range .needs }}
{{- range $name, $path := (include (printf "cairn.need.%s" .) $.root | fromYaml).secrets }}
{{- $section := $.root.Values }}
{{- $parts := splitList "." $path }}
{{- range initial $parts }}{{ $section = index $section . }}{{ end }}
{{- $secret := $section.existingSecret }}
{{- if $section.generate }}{{ $secret = $secret | default (printf "%s-keys" (include "cairn.fullname" $.root)) }}{{ end }}
{{- $key := index $section (printf "%sKey" (last $parts)) }}
{{- $value := index $section (last $parts) }}
{{- if or $value (and $secret $key) }}
- {{ dict "name" $name "path" $path "file" (trimPrefix "CAIRN_" $name | lower | replace "_" "-") "secret" $secret "key" $key "value" $value | toJson }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The secrets that are set in the values, as the data of a Secret: dict root, needs. */}}
{{- define "cairn.ownSecrets" -}}
{{- range (include "cairn.secretFiles" . | fromYamlArray) }}
{{- if not .secret }}
{{ .file }}: {{ .value | b64enc }}
{{- end }}
{{- end }}
{{- end }}

{{/* The secrets set in the values for all services of the chart, as the data of a Secret. */}}
{{- define "cairn.engineSecrets" -}}
{{- include "cairn.ownSecrets" (dict "root" . "needs" (include "cairn.allNeeds" . | fromYamlArray)) -}}
{{- end }}

{{/* The volume of the secrets: dict root, needs, own (the name of the chart's Secret). */}}
{{- define "cairn.secretsVolume" -}}
{{- $files := include "cairn.secretFiles" . | fromYamlArray -}}
{{- if $files }}
- name: secrets
  projected:
    # Readable by the group of the pod (fsGroup) only.
    defaultMode: 0440
    sources:
      {{- range $files }}
      - secret:
          name: {{ .secret | default $.own }}
          items: [{ key: {{ ternary .key .file (not (not .secret)) }}, path: {{ .file }} }]
      {{- end }}
{{- end }}
{{- end }}
