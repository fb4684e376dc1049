{{- define "stanza.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "stanza.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* Settings as texts. Numbers of values are floats, and must not become 1e+06. */ -}}
{{- define "stanza.settings" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $computed := dict "STANZA_NATS_URL" $root.Values.nats.url "STANZA_NATS_USER" $name -}}
{{- $trial := dict -}}
{{- if and $root.Values.sandbox.enabled (eq $name "delivery") -}}
{{- $trial = dict "STANZA_CHAT_API_URL" "http://sandbox:8788/api/" -}}
{{- end -}}
{{- range $key, $it := merge (dict) (index $root.Values.services $name).settings $trial $computed }}
{{ $key }}: {{ if and (kindIs "float64" $it) (eq (floor $it) $it) }}{{ $it | int64 | toString | quote }}{{ else }}{{ $it | toString | quote }}{{ end }}
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
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "stanza.toPostgres" -}}
{{- range .Values.network.postgres.cidrs }}
- ipBlock: { cidr: {{ . }} }
{{- end }}
{{- if .Values.postgres.enabled }}
- podSelector:
    matchLabels:
      cnpg.io/cluster: postgres
{{- end }}
{{- end -}}
