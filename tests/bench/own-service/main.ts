import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { Pool } from 'undici';
import { z } from 'zod';
import { blocksOf, source } from '../handlebars-message.ts';
import * as store from './store.ts';

/**
 * The peer of a send and of a compile: what a team writes for itself in a week. One process of express, pg, undici and
 * handlebars, with the promises that Stanza makes of them: the key of a request is claimed and answered, the balance is
 * taken under its lock, the message is written down before and after its post, a channel takes a message a second, and
 * an outcome that was lost is looked up.
 */
const keyHash = createHash('sha256')
  .update(process.env.BENCH_KEY ?? '')
  .digest('hex');
const platform = new Pool(process.env.BENCH_PLATFORM_URL ?? '', { connections: 32 });
const token = `Bearer ${process.env.BENCH_TOKEN ?? ''}`;

const compileBody = z.strictObject({ template_id: z.uuid(), data: z.record(z.string(), z.unknown()) });
const sendBody = compileBody.extend({ channel_id: z.string().min(1) });
const posted = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), ts: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
const history = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z.object({ event_payload: z.object({ key: z.string() }) }).optional(),
    }),
  ),
});

/** A refusal that the caller is answered. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const authenticated: RequestHandler = (request, _response, next) => {
  const given = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (createHash('sha256').update(given).digest('hex') !== keyHash) throw new Refusal(401, 'unknown key');
  next();
};

const rendered = async ({ template_id, data }: z.output<typeof compileBody>) => {
  const version = await store.liveVersion(template_id);
  if (!version) throw new Refusal(404, 'no such template');
  return { versionId: version.version_id, blocks: blocksOf(version.version_id, version.source, data) };
};

const compile = async (request: Request, response: Response): Promise<void> => {
  const { versionId, blocks } = await rendered(compileBody.parse(request.body));
  const id = randomUUID();
  const balance = await store.inTransaction((client) => store.charge(client, id, 1));
  if (balance === undefined) throw new Refusal(402, 'no credits left');
  response.json({
    success: true,
    version_id: versionId,
    blocks,
    credit_log_id: id,
    remaining_credits: balance,
  });
};

const freeAt = new Map<string, number>();

/** Waits for the channel's turn; a channel takes a message a second. */
const turnOf = async (channel: string): Promise<void> => {
  const now = Date.now();
  const at = Math.max(freeAt.get(channel) ?? 0, now);
  freeAt.set(channel, at + 1_000);
  if (at > now) await pause(at - now);
};

/** The answer of the platform, or undefined where none came. */
const ask = async (method: string, argument: object): Promise<unknown> => {
  try {
    const { body } = await platform.request({
      method: 'POST',
      path: `/api/${method}`,
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(argument),
      headersTimeout: 10_000,
    });
    return await body.json();
  } catch {
    return undefined;
  }
};

const post = async (id: string, channel: string, blocks: unknown[]): Promise<store.Outcome> => {
  const metadata = { event_type: 'own_service', event_payload: { key: id } };
  const answer = await ask('chat.postMessage', { channel, blocks, text: 'Deploy', metadata });
  const parsed = posted.safeParse(answer);
  if (!parsed.success) return { status: 'unknown' };
  return parsed.data.ok
    ? { status: 'sent', ts: parsed.data.ts }
    : { status: 'failed', error: parsed.data.error };
};

const answered = (earlier: store.Earlier, fingerprint: string, response: Response): void => {
  if (earlier.fingerprint !== fingerprint) throw new Refusal(422, 'the key was used for another request');
  if (earlier.answer === null) throw new Refusal(409, 'the request is under way');
  response.json(earlier.answer);
};

const send = async (request: Request, response: Response): Promise<void> => {
  const body = sendBody.parse(request.body);
  const key = request.get('idempotency-key') ?? randomUUID();
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const { versionId, blocks } = await rendered({ template_id: body.template_id, data: body.data });
  const [id, channel] = [randomUUID(), body.channel_id];
  await turnOf(channel);
  const accepted = { id, key, fingerprint, templateId: body.template_id, versionId, channel };
  const { balance, earlier } = await store.accept(accepted);
  if (earlier) return answered(earlier, fingerprint, response);
  const outcome = await post(id, channel, blocks);
  const success = outcome.status === 'sent';
  const answer = { success, message_id: id, message_ts: outcome.ts, channel, remaining_credits: balance };
  await store.conclude(accepted, outcome, randomUUID(), answer);
  response.status(success ? 200 : 502).json(answer);
};

/** Looks for the messages whose outcome was lost, in the history of their channels. */
const reconcile = async (): Promise<void> => {
  for (const { id, key, channel } of await store.openMessages()) {
    const found = history.safeParse(
      await ask('conversations.history', { channel, limit: 100, include_all_metadata: true }),
    );
    if (!found.success) continue;
    const message = found.data.messages.find((it) => it.metadata?.event_payload.key === id);
    const outcome: store.Outcome = message
      ? { status: 'sent', ts: message.ts }
      : { status: 'failed', error: 'not posted' };
    await store.conclude({ id, key }, outcome, randomUUID(), {
      success: message !== undefined,
      message_id: id,
    });
  }
};
setInterval(() => reconcile().catch(console.error), 10_000).unref();

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use(express.json());
app.post('/compile', authenticated, compile);
app.post('/send', authenticated, send);
app.use((error: unknown, _request: Request, response: Response, _next: () => void) => {
  const status = error instanceof Refusal ? error.status : error instanceof z.ZodError ? 400 : 500;
  if (status === 500) console.error(error);
  response.status(status).json({ error: error instanceof Error ? error.message : String(error) });
});

// Ends with its parent.
process.once('disconnect', () => process.exit(0));

await store.prepare(process.env.BENCH_TEMPLATE_ID ?? '', randomUUID(), source);
const listening = app.listen(0, '127.0.0.1', () => {
  const address = listening.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
