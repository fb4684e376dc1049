import { isErrorCode } from '@stanza/contracts';
import { type SendTemplateBody, type Stanza, StanzaError } from '@stanza/sdk';
import type { Api, ApiAnswer } from '../kit/api.ts';

/** An answer as a client keeps it. */
export interface Answer {
  kind: 'answer';
  at: number;
  /** When it had come. */
  until: number;
  status: number;
  /** Of an error; empty else. */
  code: string;
  text: string;
  replayed: boolean;
}

/** What a client was told; `broken` when it got no answer at all. */
export type Heard = Answer | { kind: 'broken'; at: number; why: string };

/** What clients want done. */
export type Work =
  | 'compile'
  | 'send'
  | 'keyed'
  | 'bulk'
  | 'push'
  | 'schedule'
  | 'update'
  | 'remove'
  | 'cancel'
  | 'edit';

/** One thing that a client wants done, however often it asks. */
export interface Wish {
  work: Work;
  organization: string;
  /** POST unless it says otherwise. */
  method?: 'PATCH' | 'DELETE';
  path: string;
  /** None of a deletion. */
  body?: object;
  /** The body of a send, which the SDK may make too. */
  send?: SendTemplateBody;
  /** Idempotency key; none for a client that does not send one. */
  key?: string;
  /** Stands in whatever is posted for it: of a push, in each event. */
  markers: string[];
  heard: Heard[];
}

/** The answers of 2xx. */
export const promisesOf = (wish: Wish): Answer[] =>
  wish.heard.filter((it): it is Answer => it.kind === 'answer' && it.status < 300);

/** The id of what a request has made; undefined before a 2xx. */
export const madeBy = (wish: Wish): string | undefined => {
  const [first] = promisesOf(wish);
  if (first === undefined) return undefined;
  const { message_id, id } = Object(JSON.parse(first.text));
  const made: unknown = message_id ?? id;
  return typeof made === 'string' ? made : undefined;
};

/** What the clients have in books of their own: everything they asked for and everything they were told. */
export class Ledger {
  readonly wishes: Wish[] = [];
  /** Forbidden answers: undocumented ones, and errors without a code of their own. */
  readonly surprises: string[] = [];

  /** The wishes of a kind that were answered 2xx. */
  kept(work: Work): Wish[] {
    return this.wishes.filter((it) => it.work === work && promisesOf(it).length > 0);
  }
}

const codeIn = (answer: ApiAnswer): string => String(Object(answer.body).code ?? '');

const heardFrom = (answer: ApiAnswer, at: number): Answer => ({
  kind: 'answer',
  at,
  until: Date.now(),
  status: answer.status,
  code: answer.status < 300 ? '' : codeIn(answer),
  text: answer.text,
  replayed: answer.headers.get('idempotency-replayed') === 'true',
});

/** Milliseconds that a client waits for an answer: a gateway that is frozen must not hold all of them. */
const patienceMs = 15_000;

/** What fetch throws when a connection breaks, and when the wait is over. */
const isBreak = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** Asks once and notes what came of it. */
export const ask = async (api: Api, wish: Wish, ledger: Ledger): Promise<Heard> => {
  const at = Date.now();
  const headers: Record<string, string> = wish.key === undefined ? {} : { 'idempotency-key': wish.key };
  const surprise = (what: string) =>
    ledger.surprises.push(`${new Date(at).toISOString()} ${wish.path}: ${what}`);
  const signal = AbortSignal.timeout(patienceMs);
  let heard: Heard;
  try {
    const { method = 'POST', path, body } = wish;
    heard = heardFrom(await api.request(method, path, body, { headers, signal }), at);
    const isCoded = isErrorCode(heard.code) && heard.code !== 'internal_error';
    if (heard.status >= 300 && !isCoded) surprise(`${heard.status} ${heard.text}`);
  } catch (error) {
    // Anything but a break is about an answer that is not as documented.
    const why = error instanceof Error ? error.message : String(error);
    if (!isBreak(error)) surprise(why);
    heard = { kind: 'broken', at, why };
  }
  wish.heard.push(heard);
  return heard;
};

/** Sends by the SDK, which asks again by itself, and notes what it says in the end. */
export const sendBySdk = async (stanza: Stanza, wish: Wish, body: SendTemplateBody): Promise<void> => {
  const at = Date.now();
  const options = wish.key === undefined ? {} : { idempotencyKey: wish.key };
  try {
    const reply = await stanza.templates.send(body, options);
    const { replayed } = reply.$answer;
    const text = JSON.stringify(reply);
    wish.heard.push({ kind: 'answer', at, until: Date.now(), status: 200, code: '', text, replayed });
  } catch (error) {
    if (!(error instanceof StanzaError)) throw error;
    const { status, code, text, replayed } = error;
    const isAnswer = status > 0;
    const until = Date.now();
    wish.heard.push(
      isAnswer
        ? { kind: 'answer', at, until, status, code, text, replayed }
        : { kind: 'broken', at, why: code },
    );
  }
};

/** Whether an answer blames the service. */
export const isFailure = (heard: Heard): boolean => heard.kind === 'answer' && heard.status >= 500;

/** Whether asking again may give another answer. */
export const isOpen = (heard: Heard): boolean =>
  heard.kind === 'broken' ||
  heard.status === 503 ||
  heard.code === 'idempotency_in_progress' ||
  heard.code === 'rate_limited';
