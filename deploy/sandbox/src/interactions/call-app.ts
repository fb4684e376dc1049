import { createHmac } from 'node:crypto';
import type { AppAddress } from '../world/app-address.ts';
import type { CallbackRecord } from '../world/callback-log.ts';
import type { World } from '../world/world.ts';

/** The platform's timeout for an app's answer, milliseconds. */
const PATIENCE_MS = 3_000;

type Payload = Readonly<Record<string, unknown>>;

function readAnswer(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Signs a body as the platform does, at a time in seconds since 1970. */
export function signBody(body: string, secret: string, seconds: number): Record<string, string> {
  const timestamp = String(seconds);
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'X-Slack-Request-Timestamp': timestamp, 'X-Slack-Signature': `v0=${digest}` };
}

async function post({ interactions_url, signing_secret }: AppAddress, payload: Payload) {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const signed = signBody(body, signing_secret, Math.floor(Date.now() / 1_000));
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...signed };
  try {
    const response = await fetch(interactions_url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, answer: readAnswer(await response.text()) };
  } catch (error) {
    return { status: null, answer: error instanceof Error ? error.message : String(error) };
  }
}

/** Sends an interaction to the app as the platform does: once, signed, with a timeout of three seconds. */
export async function callApp(world: World, payload: Payload): Promise<CallbackRecord> {
  const started = Date.now();
  const { status, answer } =
    world.listener === undefined
      ? { status: null, answer: 'no address of the app for interactions is set' }
      : await post(world.listener, payload);
  const record = {
    type: String(payload.type),
    at: new Date(started).toISOString(),
    took_ms: Date.now() - started,
    status,
    payload,
    answer,
  };
  world.callbacks.add(record);
  return record;
}
