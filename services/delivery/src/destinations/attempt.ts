import { CodedError } from '@stanza/contracts';
import { type Tenant, traceIdOf } from '@stanza/runtime';
import { Webhook } from 'standardwebhooks';
import type { Dependencies } from '../dependencies.ts';
import { decryptHeaders, decryptSigningSecrets, type Headers, type SigningSecrets } from './credentials.ts';
import { isFault } from './delivery-decision.ts';
import { breakerKey } from './dependencies.ts';
import type { DeliveryRow, DestinationRow } from './destination-tables.ts';
import { DestinationFault } from './fault.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { redactedResponse } from './redacted-response.ts';
import { beginAttempt } from './store/delivery-attempts.ts';

/** The result of trying to make an attempt. */
export type Attempted =
  | { kind: 'made'; row: DeliveryRow; reply: OutboundReply }
  /** No attempt was made or counted. */
  | { kind: 'not_made'; error: CodedError }
  | { kind: 'elsewhere' };

/** Another process has claimed the delivery. */
class TakenElsewhere extends Error {
  override readonly name = 'TakenElsewhere';
}

const logAttempt = (
  { log, destinations, tracing }: Dependencies,
  row: DeliveryRow,
  { outcome, httpStatus, error, latencyMs }: OutboundReply,
): void => {
  destinations.observe(outcome, latencyMs);
  log.info(
    {
      delivery_id: row.id,
      destination_id: row.destination_id,
      organization_id: row.organization_id,
      attempt: row.attempts,
      outcome,
      http_status: httpStatus,
      error,
      latency_ms: latencyMs,
      trace_id: traceIdOf(tracing.current()),
    },
    'delivery attempt',
  );
};

const send = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: DeliveryRow,
  destination: DestinationRow,
  timeoutMs: number,
): Promise<OutboundReply> => {
  const at = dependencies.clock.now();
  const own = decryptHeaders(tenant, destination, dependencies.keyring);
  const secrets = decryptSigningSecrets(tenant, destination, dependencies.keyring, at);
  const call = {
    url: destination.url,
    method: destination.method,
    headers: signedHeaders(own, secrets, { id: row.id, body: row.payload, at }),
    body: row.payload,
    timeoutMs,
  };
  return dependencies.destinations.breakers.run(breakerKey(destination), async () => {
    if (!(await beginAttempt(tenant, dependencies.database, row, at))) throw new TakenElsewhere();
    const reply = await dependencies.tracing.span('destination call', {}, () =>
      dependencies.destinations.transport.send(call),
    );
    const sent = [...Object.values(own), secrets.current, ...(secrets.previous?.secrets ?? [])];
    const told =
      reply.response === undefined ? reply : { ...reply, response: redactedResponse(reply.response, sent) };
    if (isFault(told)) throw new DestinationFault(told);
    return told;
  });
};

/** Makes one attempt at a claimed delivery, unless the breaker of its destination is open. */
export const attempt = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: DeliveryRow,
  destination: DestinationRow,
  timeoutMs = destination.timeout_ms,
): Promise<Attempted> => {
  const made = (reply: OutboundReply): Attempted => {
    const begun = { ...row, attempts: row.attempts + 1, retries: row.retries + 1 };
    logAttempt(dependencies, begun, reply);
    return { kind: 'made', row: begun, reply };
  };
  try {
    return made(await send(dependencies, tenant, row, destination, timeoutMs));
  } catch (error) {
    if (error instanceof DestinationFault) return made(error.reply);
    if (error instanceof TakenElsewhere) return { kind: 'elsewhere' };
    const isUntried =
      error instanceof CodedError && (error.facts.nothing_done || error.code === 'misconfigured');
    if (isUntried) return { kind: 'not_made', error };
    throw error;
  }
};

/** The headers of a payload: the destination's own, and a signature after Standard Webhooks. */
export const signedHeaders = (
  own: Headers,
  { current, previous }: SigningSecrets,
  { id, body, at }: { id: string; body: string; at: Date },
): Headers => {
  const secrets = [current, ...(previous?.secrets ?? [])];
  return {
    'user-agent': 'Stanza',
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
};
