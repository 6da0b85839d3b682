/**
 * The fields of Kubernetes' API (1.30) and of the Prometheus Operator that the manifests use, as JSON Schema: names, types
 * and what is required, from the published references. Unknown fields are refused, as the server does when it is strict.
 */

type Schema = Readonly<Record<string, unknown>>

const text = { type: "string" } as const
const integer = { type: "integer" } as const
const truth = { type: "boolean" } as const
const texts = { type: "array", items: text } as const
const labels = { type: "object", additionalProperties: text } as const
const name = { type: "string", pattern: "^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$" } as const
const quantity = { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?(m|[kMGTPE]i?)?$" } as const
const intOrString = { type: ["integer", "string"] } as const

const object = (properties: Schema, required: ReadonlyArray<string> = []): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...(required.length === 0 ? {} : { required })
})
const list = (items: Schema, minItems = 0): Schema => ({ type: "array", items, minItems })
const oneOf = (...values: ReadonlyArray<string>): Schema => ({ type: "string", enum: values })

const metadata = object({ name, namespace: name, labels, annotations: labels }, ["name"])
const podMetadata = object({ labels, annotations: labels })
const selector = object({
  matchLabels: labels,
  matchExpressions: list(
    object({ key: text, operator: oneOf("In", "NotIn", "Exists", "DoesNotExist"), values: texts }, ["key", "operator"])
  )
})

const kind = (apiVersion: string, kindName: string, fields: Schema, required: ReadonlyArray<string> = []): Schema =>
  object({ apiVersion: { const: apiVersion }, kind: { const: kindName }, metadata, ...fields }, [
    "apiVersion",
    "kind",
    "metadata",
    ...required
  ])

const probe = object(
  {
    httpGet: object({ path: text, port: intOrString, host: text, scheme: oneOf("HTTP", "HTTPS") }, ["port"]),
    initialDelaySeconds: integer,
    periodSeconds: integer,
    timeoutSeconds: integer,
    failureThreshold: integer,
    successThreshold: integer
  },
  ["httpGet"]
)

const quantities = object({ cpu: quantity, memory: quantity, "ephemeral-storage": quantity, storage: quantity })

const container = object(
  {
    name,
    image: text,
    imagePullPolicy: oneOf("Always", "Never", "IfNotPresent"),
    command: texts,
    args: texts,
    env: list(object({ name: text, value: text }, ["name"])),
    envFrom: list(
      object({ configMapRef: object({ name, optional: truth }), secretRef: object({ name, optional: truth }) })
    ),
    ports: list(
      object(
        { name: { type: "string", maxLength: 15 }, containerPort: integer, protocol: oneOf("TCP", "UDP", "SCTP") },
        ["containerPort"]
      )
    ),
    startupProbe: probe,
    livenessProbe: probe,
    readinessProbe: probe,
    lifecycle: object({ preStop: object({ exec: object({ command: texts }) }) }),
    resources: object({ requests: quantities, limits: quantities }),
    securityContext: object({
      allowPrivilegeEscalation: truth,
      readOnlyRootFilesystem: truth,
      runAsNonRoot: truth,
      capabilities: object({ add: texts, drop: texts })
    }),
    volumeMounts: list(object({ name, mountPath: text, readOnly: truth, subPath: text }, ["name", "mountPath"]))
  },
  ["name"]
)

const volume = object(
  {
    name,
    secret: object({ secretName: name, defaultMode: { type: "integer", minimum: 0, maximum: 511 }, optional: truth }),
    emptyDir: object({ sizeLimit: quantity, medium: oneOf("", "Memory") }),
    persistentVolumeClaim: object({ claimName: name, readOnly: truth }, ["claimName"]),
    configMap: object({ name, defaultMode: integer })
  },
  ["name"]
)

const podSpec = object(
  {
    serviceAccountName: name,
    automountServiceAccountToken: truth,
    terminationGracePeriodSeconds: integer,
    restartPolicy: oneOf("Always", "OnFailure", "Never"),
    securityContext: object({
      runAsNonRoot: truth,
      runAsUser: integer,
      runAsGroup: integer,
      fsGroup: integer,
      seccompProfile: object({ type: oneOf("RuntimeDefault", "Unconfined", "Localhost"), localhostProfile: text }, [
        "type"
      ])
    }),
    topologySpreadConstraints: list(
      object(
        {
          maxSkew: { type: "integer", minimum: 1 },
          topologyKey: text,
          whenUnsatisfiable: oneOf("DoNotSchedule", "ScheduleAnyway"),
          labelSelector: selector
        },
        ["maxSkew", "topologyKey", "whenUnsatisfiable"]
      )
    ),
    initContainers: list(container),
    containers: list(container, 1),
    volumes: list(volume)
  },
  ["containers"]
)
const podTemplate = object({ metadata: podMetadata, spec: podSpec }, ["spec"])

const jobSpec = object(
  {
    backoffLimit: integer,
    activeDeadlineSeconds: integer,
    ttlSecondsAfterFinished: integer,
    parallelism: integer,
    completions: integer,
    template: podTemplate
  },
  ["template"]
)

const networkPeers = list(
  object({
    namespaceSelector: selector,
    podSelector: selector,
    ipBlock: object({ cidr: text, except: texts }, ["cidr"])
  })
)
const networkPorts = list(object({ port: intOrString, protocol: oneOf("TCP", "UDP", "SCTP"), endPort: integer }))

/** By `apiVersion/kind`. */
export const manifestSchemas: Readonly<Record<string, Schema>> = {
  "v1/Namespace": kind("v1", "Namespace", {}),
  "v1/ServiceAccount": kind("v1", "ServiceAccount", { automountServiceAccountToken: truth }),
  "v1/PersistentVolumeClaim": kind(
    "v1",
    "PersistentVolumeClaim",
    {
      spec: object(
        {
          accessModes: list(oneOf("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"), 1),
          storageClassName: name,
          resources: object({ requests: quantities, limits: quantities }, ["requests"])
        },
        ["accessModes", "resources"]
      )
    },
    ["spec"]
  ),
  "v1/Service": kind(
    "v1",
    "Service",
    {
      spec: object(
        {
          type: oneOf("ClusterIP", "NodePort", "LoadBalancer"),
          selector: labels,
          ports: list(
            object({ name, port: integer, targetPort: intOrString, protocol: oneOf("TCP", "UDP", "SCTP") }, ["port"]),
            1
          )
        },
        ["ports"]
      )
    },
    ["spec"]
  ),
  "apps/v1/Deployment": kind(
    "apps/v1",
    "Deployment",
    {
      spec: object(
        {
          replicas: integer,
          revisionHistoryLimit: integer,
          minReadySeconds: integer,
          strategy: object({
            type: oneOf("RollingUpdate", "Recreate"),
            rollingUpdate: object({ maxSurge: intOrString, maxUnavailable: intOrString })
          }),
          selector,
          template: podTemplate
        },
        ["selector", "template"]
      )
    },
    ["spec"]
  ),
  "batch/v1/Job": kind("batch/v1", "Job", { spec: jobSpec }, ["spec"]),
  "batch/v1/CronJob": kind(
    "batch/v1",
    "CronJob",
    {
      spec: object(
        {
          schedule: { type: "string", pattern: "^(\\S+ ){4}\\S+$" },
          timeZone: text,
          concurrencyPolicy: oneOf("Allow", "Forbid", "Replace"),
          startingDeadlineSeconds: integer,
          suspend: truth,
          successfulJobsHistoryLimit: integer,
          failedJobsHistoryLimit: integer,
          jobTemplate: object({ metadata: podMetadata, spec: jobSpec }, ["spec"])
        },
        ["schedule", "jobTemplate"]
      )
    },
    ["spec"]
  ),
  "policy/v1/PodDisruptionBudget": kind(
    "policy/v1",
    "PodDisruptionBudget",
    {
      spec: object({
        minAvailable: intOrString,
        maxUnavailable: intOrString,
        selector,
        unhealthyPodEvictionPolicy: oneOf("IfHealthyBudget", "AlwaysAllow")
      })
    },
    ["spec"]
  ),
  "networking.k8s.io/v1/Ingress": kind(
    "networking.k8s.io/v1",
    "Ingress",
    {
      spec: object({
        ingressClassName: name,
        tls: list(object({ hosts: texts, secretName: name })),
        rules: list(
          object({
            host: text,
            http: object(
              {
                paths: list(
                  object(
                    {
                      path: text,
                      pathType: oneOf("Exact", "Prefix", "ImplementationSpecific"),
                      backend: object({
                        service: object({ name, port: object({ name, number: integer }) }, ["name"])
                      })
                    },
                    ["pathType", "backend"]
                  ),
                  1
                )
              },
              ["paths"]
            )
          })
        )
      })
    },
    ["spec"]
  ),
  "networking.k8s.io/v1/NetworkPolicy": kind(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    {
      spec: object(
        {
          podSelector: selector,
          policyTypes: list(oneOf("Ingress", "Egress")),
          ingress: list(object({ from: networkPeers, ports: networkPorts })),
          egress: list(object({ to: networkPeers, ports: networkPorts }))
        },
        ["podSelector"]
      )
    },
    ["spec"]
  ),
  "monitoring.coreos.com/v1/ServiceMonitor": kind(
    "monitoring.coreos.com/v1",
    "ServiceMonitor",
    {
      spec: object(
        {
          jobLabel: text,
          selector,
          namespaceSelector: object({ any: truth, matchNames: texts }),
          endpoints: list(
            object({
              port: text,
              path: text,
              interval: { type: "string", pattern: "^[0-9]+(ms|s|m|h)$" },
              scrapeTimeout: text,
              scheme: oneOf("http", "https"),
              authorization: object({ type: text, credentials: object({ name, key: text, optional: truth }, ["key"]) })
            }),
            1
          )
        },
        ["selector", "endpoints"]
      )
    },
    ["spec"]
  )
}
