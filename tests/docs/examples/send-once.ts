import { setTimeout as pause } from 'node:timers/promises';

const api = process.env.API ?? 'http://127.0.0.1:8787';
const key = process.env.KEY ?? '';

/** An answer of Stanza that is none of success. */
class Refused extends Error {
  readonly status: number;
  /** Stable, unlike the text: match on it. */
  readonly code: string;
  readonly requestId: string;

  /** The answer was given before, and stays the same. */
  readonly isReplayed: boolean;

  constructor(status: number, isReplayed: boolean, { error, code, request_id }: Record<string, unknown>) {
    super(String(error));
    this.status = status;
    this.isReplayed = isReplayed;
    this.code = String(code);
    this.requestId = String(request_id);
  }

  /** Whether the same request with the same key may be sent again. */
  get passes(): boolean {
    if (this.isReplayed) return false;
    return this.status === 429 || this.status === 503 || this.code === 'idempotency_in_progress';
  }
}

/** One attempt: an id, or a refusal that passes and how long to wait. Throws any other refusal, and lost connections. */
const once = async (message: object, idempotencyKey: string) => {
  const response = await fetch(`${api}/v1/templates/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(20_000),
  });
  const answer = Object(await response.json());
  if (response.ok) return { messageId: String(answer.message_id), waitMs: 0 };
  const refused = new Refused(response.status, response.headers.has('idempotency-replayed'), answer);
  if (!refused.passes) throw refused;
  return { refused, waitMs: (Number(response.headers.get('retry-after')) || 1) * 1_000 };
};

/** Sends a message exactly once, however often connections break: the key makes repeats harmless. */
const send = async (message: object, idempotencyKey: string, attempts = 8): Promise<string> => {
  let last: unknown;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const { messageId, refused, waitMs } = await once(message, idempotencyKey);
      if (messageId !== undefined) return messageId;
      last = refused;
      await pause(waitMs);
    } catch (error) {
      // What Stanza has decided stays decided; what never arrived, or got no answer, is sent again.
      if (error instanceof Refused) throw error;
      last = error;
      await pause(250 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
  throw last;
};

const message = {
  template_id: process.env.TEMPLATE,
  channel_id: 'C0DEPLOYS',
  data: { order: 4711, carrier: 'Postbote' },
};
console.log(await send(message, 'order-4711-shipped'));
