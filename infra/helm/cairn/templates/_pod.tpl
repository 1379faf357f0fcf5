{{/* The common part of every pod of the chart: dict root, name, needs, values, pod, own (Secret). */}}
{{- define "cairn.podCommon" -}}
automountServiceAccountToken: false
# Otherwise Kubernetes sets CAIRN_… variables with the addresses of services, which would be read as settings.
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
# Arguments instead of a command, so that the image's init, which forwards signals, stays process 1.
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

{{/* Default memory limit, which includes the processes that read files. */}}
{{- define "cairn.resources" -}}
{{- $resources := deepCopy .values.resources -}}
{{- if eq .name "file-pipeline" -}}
{{- $room := printf "%dMi" (add 768 (mul (add1 (int .values.concurrency)) (int .values.memoryMb))) -}}
{{- $resources = mergeOverwrite (dict "limits" (dict "memory" $room)) $resources -}}
{{- end -}}
{{- toJson $resources -}}
{{- end }}

{{- define "cairn.volumes" -}}
# Node's compile cache.
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
Health probes. A check of a dependency may take 2 s and /readyz makes two checks, hence the timeouts. A process that only a restart can help
exits by itself; the liveness probe is for a process that cannot even exit.

The gateway receives requests from its start, also while an engine is down, its disk is full, or a model cannot be loaded: it rejects the
requests that need the missing part with 503 and Retry-After, and serves all others, including deletions. With /readyz as the readiness probe,
the outage of one engine would be an outage of the whole API. The other services receive no requests; their /readyz delays a rollout.
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
