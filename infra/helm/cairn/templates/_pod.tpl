{{/* What every pod of the chart has in common: dict root, name, needs, values, pod, own (Secret). */}}
{{- define "cairn.podCommon" -}}
automountServiceAccountToken: false
# Addresses of services as CAIRN_… variables would be taken for settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- range $name, $id := .root.Values.security }}
  {{- if not (kindIs "invalid" $id) }}
  {{ $name }}: {{ int $id }}
  {{- end }}
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $.pod $field }}
{{ $field }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cairn.container" -}}
name: cairn
image: {{ include "cairn.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
# Arguments, so that the image's own first process (which passes on signals) stays the first.
args: [node, services/{{ .name }}/src/main.ts]
env:
  {{- include "cairn.env" . | trim | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{ include "cairn.resources" . }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if include "cairn.secretsVolume" . }}
  - { name: secrets, mountPath: /secrets, readOnly: true }
  {{- end }}
  {{- if .root.Values.trust.existingConfigMap }}
  - { name: trust, mountPath: /trust, readOnly: true }
  {{- end }}
  {{- if has "embedder" .needs }}
  - { name: cache, mountPath: /cache }
  {{- end }}
  {{- if and (has "tiers" .needs) .root.Values.tiers }}
  - { name: config, mountPath: /config, readOnly: true }
  {{- end }}
  {{- if eq .name "file-pipeline" }}
  - { name: scratch, mountPath: /scratch }
  {{- end }}
  {{- if eq .name "edge" }}
  - { name: data, mountPath: /data }
  {{- end }}
{{- end }}

{{/* A limit of memory that leaves room for the processes that read files, where none is given. */}}
{{- define "cairn.resources" -}}
{{- $resources := deepCopy .values.resources -}}
{{- if eq .name "file-pipeline" -}}
{{- $room := printf "%dMi" (add 768 (mul (add1 (int .values.concurrency)) (int .values.memoryMb))) -}}
{{- $resources = mergeOverwrite (dict "limits" (dict "memory" $room)) $resources -}}
{{- end -}}
{{- toJson $resources -}}
{{- end }}

{{- define "cairn.volumes" -}}
# Node keeps compiled code there.
- { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- with include "cairn.secretsVolume" . }}
{{ trim . }}
{{- end }}
{{- with .root.Values.trust }}
{{- if .existingConfigMap }}
- name: trust
  configMap: { name: {{ .existingConfigMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- end }}
{{- end }}
{{- if has "embedder" .needs }}
{{- with .root.Values.embedder.cache }}
{{- if .existingClaim }}
- { name: cache, persistentVolumeClaim: { claimName: {{ .existingClaim }} } }
{{- else }}
- { name: cache, emptyDir: { sizeLimit: {{ .sizeLimit }} } }
{{- end }}
{{- end }}
{{- end }}
{{- if and (has "tiers" .needs) .root.Values.tiers }}
- { name: config, configMap: { name: {{ include "cairn.fullname" .root }}-tiers } }
{{- end }}
{{- if eq .name "file-pipeline" }}
{{- $size := .values.scratch.size | default (printf "%dGi" (add 1 (mul 5 (int .values.concurrency)))) }}
{{- if .values.scratch.storageClassName }}
- name: scratch
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ .values.scratch.storageClassName }}
        resources: { requests: { storage: {{ $size }} } }
{{- else }}
- { name: scratch, emptyDir: { sizeLimit: {{ $size }} } }
{{- end }}
{{- end }}
{{- if eq .name "edge" }}
- name: data
  persistentVolumeClaim:
    claimName: {{ .values.persistence.existingClaim | default (printf "%s-edge" (include "cairn.fullname" .root)) }}
{{- end }}
{{- end }}

{{/*
Health. A check of a dependency may take 2 s and /readyz asks twice, hence the time-outs. A process that only a new start can help ends by
itself; the liveness probe is for one that can't even do that.

The gateway gets calls from its start on, and keeps them although an engine is away, its disk is full, or a model cannot be loaded: it
refuses by itself, with 503 and Retry-After, exactly what needs it, and serves the rest, deletions among it. With /readyz as a probe the outage
of one engine would be that of the whole API. The others get no calls at all; their /readyz holds up a roll-out.
*/}}
{{- define "cairn.probes" -}}
{{- $start := int .root.Values.startupSeconds -}}
{{- $live := ternary "/health" "/livez" (eq .name "edge") -}}
{{- $ready := get (dict "gateway" "/livez" "edge" "/health") .name | default "/readyz" -}}
startupProbe:
  httpGet: { path: {{ $live }}, port: http }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: {{ div (add $start 1) 2 }}
livenessProbe:
  httpGet: { path: {{ $live }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ $ready }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}
