{{- define "stanza.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "stanza.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* A value as a text. Numbers of values are floats, and must not become 1e+06. */ -}}
{{- define "stanza.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ . | int64 | toString | quote }}{{ else }}{{ . | toString | quote }}{{ end -}}
{{- end -}}

{{- define "stanza.settings" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $computed := dict "STANZA_NATS_URL" $root.Values.nats.url "STANZA_NATS_USER" $name -}}
{{- $trial := dict -}}
{{- if and $root.Values.sandbox.enabled (eq $name "delivery") -}}
{{- $trial = dict "STANZA_CHAT_API_URL" "http://sandbox:8788/api/" -}}
{{- end -}}
{{- range $key, $it := (index $root.Values.services $name).settings }}
{{- if or (eq $key "NODE_OPTIONS") (and $root.Values.small (not (hasPrefix "STANZA_" $key))) }}
{{- fail (printf "services.%s.settings.%s: name it in env, which is for all services" $name $key) }}
{{- end }}
{{- end }}
{{- range $key, $it := merge (dict) (index $root.Values.services $name).settings $trial $computed }}
{{ $key }}: {{ include "stanza.text" $it }}
{{- end }}
{{- end -}}

{{- /* Refuses a heap that leaves of the memory too little for code, buffers and threads: the kernel would kill the process. */ -}}
{{- define "stanza.checkHeap" -}}
{{- $memory := dig "limits" "memory" "" (.of.resources | default dict) | toString -}}
{{- $unit := regexFind "[KMGT]i?$" $memory -}}
{{- $mib := get (dict "Mi" 1.0 "Gi" 1024.0 "M" 0.953674 "G" 953.674) $unit -}}
{{- if and $mib (gt (float64 .of.heapMiB) (mulf 0.75 $mib (trimSuffix $unit $memory | float64))) }}
{{- fail (printf "%s.heapMiB: %v MiB are more than three quarters of the limit of memory, %s" .name .of.heapMiB $memory) }}
{{- end }}
{{- end -}}

{{- /* Those of Node itself: of the heap, and of env. A container has each variable once. */ -}}
{{- define "stanza.nodeOptions" -}}
{{- include "stanza.checkHeap" . -}}
{{- $options := list (printf "--max-old-space-size=%v" .of.heapMiB) -}}
{{- range .root.Values.env }}
{{- if eq .name "NODE_OPTIONS" }}
{{- if .valueFrom }}{{ fail "env: NODE_OPTIONS is added to that of the heap, so give its value itself" }}{{ end }}
{{- with .value }}{{ $options = append $options . }}{{ end }}
{{- end }}
{{- end -}}
{{ join " " $options | quote }}
{{- end -}}

{{- define "stanza.serviceEnv" -}}
{{- $others := list -}}
{{- range .Values.env }}
{{- if ne .name "NODE_OPTIONS" }}{{ $others = append $others . }}{{ end }}
{{- end -}}
{{- with $others }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{- define "stanza.env" -}}
{{- with .Values.env }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{- /* A changed setting or Secret is a rollout. A Secret is compared as the cluster has it at the time of the upgrade. */ -}}
{{- define "stanza.podAnnotations" -}}
{{- $root := .root -}}
{{- range $name := .names }}
{{- with index $root.Values.services $name }}
checksum/settings-{{ $name }}: {{ include "stanza.settings" (list $root $name) | sha256sum }}
{{- end }}
checksum/secret-{{ $name }}: {{ (lookup "v1" "Secret" $root.Release.Namespace (index $root.Values.secrets $name)).data | toJson | sha256sum }}
{{- if eq $name "nats" }}
checksum/users: {{ $root.Files.Get "files/users.conf" | sha256sum }}
checksum/configuration: {{ $root.Files.Get (ternary "files/nats-one.conf" "files/nats-three.conf" $root.Values.small) | sha256sum }}
{{- end }}
{{- end }}
{{- with $root.Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "stanza.pod" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClass.name }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "stanza.certificates" -}}
{{- with .Values.certificates }}
volumes:
  - name: certificates
    configMap: { name: {{ . | quote }} }
{{- end }}
{{- end -}}

{{- define "stanza.certificateMounts" -}}
{{- if .Values.certificates }}
volumeMounts:
  - { name: certificates, mountPath: /etc/stanza/certificates, readOnly: true }
{{- end }}
{{- end -}}

{{- /* The upper bound of an autoscaler. The API refuses one below the lower bound, after other resources have changed. */ -}}
{{- define "stanza.most" -}}
{{- $bounds := (index .root.Values.services .name).autoscaling -}}
{{- if gt (int $bounds.min) (int $bounds.max) }}
{{- fail (printf "services.%s.autoscaling: min (%v) is above max (%v)" .name $bounds.min $bounds.max) }}
{{- end }}
{{- $bounds.max }}
{{- end -}}

{{- /* Rules of egress: none without addresses, since an empty "to" lets pods to all. network.postgres.port is that of 0.2.0. */ -}}
{{- define "stanza.toPostgres" -}}
{{- $postgres := .Values.network.postgres -}}
{{- if or $postgres.cidrs .Values.postgres.enabled }}
- to:
    {{- range $postgres.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- if .Values.postgres.enabled }}
    - podSelector: { matchLabels: { cnpg.io/cluster: postgres } }
    {{- end }}
  ports:
    {{- range hasKey $postgres "port" | ternary (list $postgres.port) $postgres.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- else -}}
[]
{{- end }}
{{- end -}}

{{- define "stanza.toNats" -}}
{{- if or .Values.network.nats.cidrs .Values.nats.enabled }}
- to:
    {{- if .Values.nats.enabled }}
    - podSelector: { matchLabels: { app.kubernetes.io/name: nats } }
    {{- else }}
    {{- range .Values.network.nats.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- end }}
  ports:
    {{- range .Values.nats.enabled | ternary (list 4222) .Values.network.nats.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- else -}}
[]
{{- end }}
{{- end -}}
