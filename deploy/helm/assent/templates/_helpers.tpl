{{/* What all names begin with: that of the release. */}}
{{- define "assent.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* By which pods are found. Takes the root and, where there is one, the component. */}}
{{- define "assent.labels" -}}
{{- $root := first . -}}
app.kubernetes.io/name: assent
app.kubernetes.io/instance: {{ include "assent.name" $root }}
{{- if last . }}
app.kubernetes.io/component: {{ last . }}
{{- end }}
{{- end }}

{{- define "assent.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* What all pods have in common. */}}
{{- define "assent.pod" -}}
serviceAccountName: {{ include "assent.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Two seconds until the last request has been routed elsewhere, ten for running ones, and some to spare; before them a pause
in which the cluster takes the pod out of its services. Takes the root and the component. */}}
{{- define "assent.running" -}}
terminationGracePeriodSeconds: 25
topologySpreadConstraints:
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "assent.labels" $ | nindent 8 }}
{{- end }}
{{- end }}

{{/* A container of the service's own image. Takes the root and its resources. */}}
{{- define "assent.container" -}}
{{- $root := first . -}}
image: {{ include "assent.image" $root }}
{{- with $root.Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
envFrom:
  - configMapRef:
      name: {{ include "assent.name" $root }}
resources: {{- toYaml (last .) | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: secrets
    mountPath: /run/secrets/assent
    readOnly: true
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "assent.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secrets.name }}
    # 0440: for the user of the process, whose group is fsGroup.
    defaultMode: 288
- name: data
  emptyDir:
    sizeLimit: 64Mi
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- end }}

{{- define "assent.budget" -}}
{{- $root := first . -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "assent.name" $root }}-{{ last . }}
  labels: {{- include "assent.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "assent.labels" . | nindent 6 }}
{{- end }}

{{- define "assent.settings" -}}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- range $name, $key := .Values.secrets.keys }}
{{ $name }}_FILE: /run/secrets/assent/{{ $key }}
{{- end }}
{{- end }}

{{- define "assent.caddyfile" -}}
{{- $name := include "assent.name" . -}}
{
  auto_https off
  admin off
  servers {
    # What the ingress controller says of the caller is believed, because the network policy lets only that one reach this port.
    trusted_proxies static private_ranges
  }
}
(roles) {
  @questions {
    method GET HEAD
    not path /admin/* /console /console/*
  }
  reverse_proxy @questions {{ $name }}-read-api:4100 {
    lb_try_duration 5s
  }
  reverse_proxy {{ $name }}-write-api:4100 {
    lb_try_duration 5s
  }
}
:4100 {
  @private not path / /favicon.ico /v1/* /.well-known/jwks.json /.well-known/assent-ledger.json /.well-known/gpc.json /openapi.json /docs /docs/* /elements/* /portal /portal/*
  respond @private 404
  import roles
}
:4101 {
  import roles
}
:4102 {
  respond /livez 200
}
{{- end }}
