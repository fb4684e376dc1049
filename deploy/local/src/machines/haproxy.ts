/** A gateway behind the proxy. */
export interface ProxiedGateway {
  name: string;
  host: string;
  port: number;
  /** Where `/readyz` answers. */
  metricsPort: number;
}

/** What the proxy answers where no gateway does, in the form of all errors. */
const refusal = (error: string): string =>
  `content-type application/json hdr Retry-After 1 lf-string '${JSON.stringify({ error, code: 'service_unavailable', request_id: '%[unique-id]' })}'`;

const nobody = refusal('No gateway takes requests. Nothing was changed.');
const broken = refusal(
  'The gateway did not answer. The change may have happened; a request with an Idempotency-Key is safe to retry.',
);

/**
 * HAProxy before all gateways: it asks each whether it is ready, leaves one that hangs within three seconds, and never
 * sends a request a second time that a gateway may have begun.
 * @param user whom it becomes once it listens; it stays who starts it unless given
 */
export const haproxyConfig = (
  bind: string,
  gateways: readonly ProxiedGateway[],
  user?: string,
): string => `# ${bind}: TLS ends here, with "ssl crt /etc/haproxy/stanza.pem alpn h2,http/1.1" after the address.
global
  maxconn 4096
${user === undefined ? '' : `  user ${user}\n  group ${user}\n`}
defaults
  mode http
  timeout connect 1s
  # A gateway answers within 45 s; streams say something every 15 s.
  timeout client 65s
  timeout server 65s
  timeout queue 5s
  option redispatch 1
  retries 2
  retry-on conn-failure
  # HAProxy's own pages have no code and no request id.
  http-error status 503 ${nobody}
  http-error status 502 ${broken}
  http-error status 504 ${broken}

frontend api
  bind ${bind}
  unique-id-format %[uuid()]
  # The gateways trust this header (STANZA_TRUSTED_PROXIES), so a client must not bring one.
  http-request del-header X-Forwarded-For
  option forwardfor
  default_backend gateways

backend gateways
  balance roundrobin
  option httpchk GET /readyz
  timeout check 1s
  default-server check inter 1s fastinter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
${gateways.map(({ name, host, port, metricsPort }) => `  server ${name} ${host}:${port} check port ${metricsPort}\n`).join('')}`;
