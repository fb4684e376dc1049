import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newContext } from '@stanza/runtime';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import type { Dependencies } from '../dependencies.ts';
import { endAbandonedMessages } from '../messages/jobs/abandoned-messages.ts';
import { lookUpUnknown } from '../testing/lookups.ts';
import {
  anotherProcess,
  ask,
  newSender,
  openWorld,
  refusalOf,
  rowsOf,
  type SendBody,
  type Sender,
  send,
  settlementsOf,
  type World,
} from '../testing/world.ts';
import { deleteMessage } from './delete-message.ts';
import { updateMessage } from './update-message.ts';

const keys = ['deploy', 'deploy', 'build'] as const;

/**
 * `lost`: the platform does it, and its answer is lost. `which` counts the messages from the latest. A process dies
 * before or after the platform has done what it was asked; another one sweeps later.
 */
type Step =
  | { do: 'send'; key: string | undefined; on: 'update' | 'reply' | 'skip' | 'post'; lost: boolean }
  | { do: 'race'; key: string; count: number }
  | { do: 'update'; which: number; same: boolean; lost: boolean }
  | { do: 'reply'; which: number }
  | { do: 'remove'; which: number; lost: boolean }
  | { do: 'die'; at: 'send' | 'update' | 'remove'; key: string | undefined; which: number; isDone: boolean };

const key = fc.constantFrom(...keys);
const which = fc.constantFrom(0, 0, 0, 1, 2);
const lost = fc.constantFrom(true, false, false);
const keyOrNone = fc.option(key, { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    key: keyOrNone,
    on: fc.constantFrom('update', 'update', 'reply', 'skip', 'post'),
    lost,
  }),
  fc.record({ do: fc.constant('race' as const), key, count: fc.integer({ min: 2, max: 3 }) }),
  fc.record({ do: fc.constant('update' as const), which, same: fc.boolean(), lost }),
  fc.record({ do: fc.constant('reply' as const), which }),
  fc.record({ do: fc.constant('remove' as const), which, lost }),
  fc.record({
    do: fc.constant('die' as const),
    at: fc.constantFrom('send', 'send', 'update', 'update', 'remove'),
    key: keyOrNone,
    which,
    isDone: fc.boolean(),
  }),
);

const changing = new Set(['chat.postMessage', 'chat.update', 'chat.delete']);

/** A process that dies with its first change of a channel: from then on nothing of it goes on. */
const mortal = (world: World, isDone: boolean) => {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const call: World['chat']['call'] = async (one) => {
    if (!changing.has(one.method)) return world.chat.call(one);
    if (isDone) await world.chat.call(one);
    die();
    return new Promise<never>(() => undefined);
  };
  return { process: { ...world, chat: { ...world.chat, call } }, died };
};

/** Longer than a request may live, and than each of the waits between two lookups. */
const laterMs = 30 * 60_000;

const lookedUp = "select from messages where status = 'unknown' and lookup_due_at is not null limit 1";

/** Another process ends what the dead one has left, and looks it up until it is known or given up. */
const recover = async (world: World): Promise<void> => {
  const other = anotherProcess(world);
  do {
    other.clock.jump(laterMs);
    await endAbandonedMessages(other);
    await lookUpUnknown(other);
  } while ((await world.rows(lookedUp)).length > 0);
  await other.chat.close();
  // The other process took them in a time to come.
  await world.rows('delete from method_slots');
};

/** A message as it should be in the channel. */
interface Shown {
  id: string;
  ts: string;
  text: string;
  revision: number;
  /** The number of its last change, whatever became of that. */
  last: number;
  /** A change may yet come about, as far as the log knows. */
  isInDoubt: boolean;
  thread: string | undefined;
  isThere: boolean;
}

/** What senders may expect of a conversation, next to what they get. */
class History {
  readonly #world: World;
  readonly #sender: Sender;
  readonly #all: Shown[] = [];
  readonly #keys = new Map<string, Shown>();
  #charged = 0;
  #texts = 0;

  constructor(world: World, sender: Sender) {
    this.#world = world;
    this.#sender = sender;
  }

  /** Takes a step, once no call before it may still come about. */
  async take(next: Step): Promise<void> {
    await this.#world.rows(
      `update messages set lookup_due_at = null
       where organization_id = $1 and status = 'sent' and lookup_due_at is not null returning 1`,
      [this.#sender.principal.organization_id],
    );
    if (next.do === 'send') return this.#send(next);
    if (next.do === 'race') return this.#race(next);
    if (next.do === 'die') return this.#die(next);
    const message = this.#all.at(-1 - next.which);
    if (!message) return undefined;
    if (next.do === 'reply') return this.#reply(message);
    return next.do === 'update' ? this.#update(message, next) : this.#remove(message, next);
  }

  /** The channel and the charges are as the steps have made them. */
  async check(): Promise<void> {
    const posts = await this.#world.postsIn(this.#sender.channel);
    const shown = posts.map(({ ts, text, thread_ts, metadata }) => {
      const { key: id, revision = 1 } = Object(metadata?.event_payload);
      return { id, ts, text, revision, thread: thread_ts ?? undefined };
    });
    const byTs = (one: { ts: string }, other: { ts: string }): number => (one.ts < other.ts ? -1 : 1);
    const there = this.#all
      .filter(({ isThere }) => isThere)
      .map(({ id, ts, text, revision, thread }) => ({ id, ts, text, revision, thread }));
    expect(shown.toSorted(byTs)).toEqual(there.toSorted(byTs));
    await this.#checkLog(new Map(there.map(({ id, revision }) => [id, revision])));
  }

  /**
   * The log has what the channel shows, and the ledger takes a credit for each row that says so, and for nothing twice.
   */
  async #checkLog(there: ReadonlyMap<string, number>): Promise<void> {
    const { principal } = this.#sender;
    const rows = await rowsOf(this.#world, principal);
    const sent = rows.filter(({ revises, status }) => revises === null && status === 'sent');
    expect(new Map(sent.map(({ id, revision }) => [id, revision]))).toEqual(there);
    expect(rows.filter(({ status }) => status === 'accepted' || status === 'posting')).toEqual([]);
    const settled = await settlementsOf(this.#world, principal);
    expect(new Set(settled.map((it) => it.operation_id)).size).toBe(settled.length);
    const charges = settled.flatMap(({ items }) => items.filter(({ charged }) => charged));
    expect(charges).toHaveLength(this.#charged);
    const charged = rows.filter((row) => row.charged).map((row) => row.credit_log_id);
    expect(new Set(charges.map((it) => it.credit_log_id))).toEqual(new Set(charged));
  }

  #context() {
    return newContext({ deadlineMs: 15_000, principal: this.#sender.principal });
  }

  #text(): string {
    this.#texts += 1;
    return `text ${this.#texts}`;
  }

  async #lose(method: string, isLost: boolean): Promise<void> {
    const { channel } = this.#sender;
    if (isLost) await this.#world.misbehave({ method, channel, mode: 'reset_after', times: 1 });
  }

  #ask(text: string, body: SendBody, process: Dependencies = this.#world) {
    const { principal, channel } = this.#sender;
    return send(process, principal, { channel_id: channel, data: { text }, ...body }, this.#context());
  }

  #posted(reply: { message_id: string; message_ts: string }, text: string, thread?: string): Shown {
    const { message_id: id, message_ts: ts } = reply;
    const made = { id, ts, text, revision: 1, last: 1, isInDoubt: false, thread, isThere: true };
    this.#all.push(made);
    this.#charged += 1;
    return made;
  }

  #holder(name: string): Shown | undefined {
    const held = this.#keys.get(name);
    return held?.isThere ? held : undefined;
  }

  async #send({ key: name, on, lost: isLost }: Extract<Step, { do: 'send' }>): Promise<void> {
    const text = this.#text();
    const held = name === undefined ? undefined : this.#holder(name);
    if (held && on === 'update') await this.#lose('chat.update', isLost);
    if (!held || on === 'post' || on === 'reply') await this.#lose('chat.postMessage', isLost);
    const reply = await this.#ask(text, name === undefined ? {} : { message_key: name, on_existing: on });
    if (!held || on === 'post' || on === 'reply') {
      const made = this.#posted(reply, text, held && on === 'reply' ? (held.thread ?? held.ts) : undefined);
      if (name !== undefined && !(held && on === 'reply')) this.#keys.set(name, made);
      return;
    }
    if (on === 'update') this.#changed(held, text);
    expect(reply).toMatchObject({ message_id: held.id, revision: held.revision, changed: on === 'update' });
  }

  #changed(message: Shown, text: string): void {
    message.text = text;
    message.last += 1;
    message.revision = message.last;
    message.isInDoubt = false;
    this.#charged += 1;
  }

  /** What becomes of a step whose process dies: done or not, it costs nothing, and no later step is refused for it. */
  async #die({ at, key: name, which: from, isDone }: Extract<Step, { do: 'die' }>): Promise<void> {
    const { process, died } = mortal(this.#world, isDone);
    const held = name === undefined ? undefined : this.#holder(name);
    const message = at === 'send' ? held : this.#all.at(-1 - from);
    if (at !== 'send' && !message?.isThere) return;
    const text = this.#text();
    const { principal } = this.#sender;
    const params = { id: message?.id ?? '' };
    if (at === 'send') this.#ask(text, name === undefined ? {} : { message_key: name }, process);
    else if (at === 'remove') ask(deleteMessage(process), { params }, principal, this.#context());
    else {
      const body = { data: { text }, version: 'same' as const };
      ask(updateMessage(process), { params, body }, principal, this.#context());
    }
    await died;
    await recover(this.#world);
    if (!message) return this.#diedPosting(text, name, isDone);
    const before = this.#charged;
    if (at === 'remove') message.isThere = !isDone;
    else if (isDone) this.#changed(message, text);
    if (!isDone) {
      message.last += 1;
      message.isInDoubt = true;
    }
    this.#charged = before;
  }

  async #diedPosting(text: string, name: string | undefined, isDone: boolean): Promise<void> {
    if (!isDone) return;
    const rows = await rowsOf(this.#world, this.#sender.principal);
    const row = rows.findLast(({ revises }) => revises === null);
    const made = this.#posted({ message_id: row?.id ?? '', message_ts: row?.message_ts ?? '' }, text);
    this.#charged -= 1;
    if (name !== undefined) this.#keys.set(name, made);
  }

  /** Calls with a key at one time are one message; the one with the last number is shown. */
  async #race({ key: name, count }: Extract<Step, { do: 'race' }>): Promise<void> {
    const before = this.#holder(name);
    const texts = Array.from({ length: count }, () => this.#text());
    const replies = await Promise.all(texts.map((text) => this.#ask(text, { message_key: name })));
    const order = replies
      .map((reply, at) => ({ reply, text: texts[at] ?? '', revision: reply.revision ?? 0 }))
      .toSorted((one, other) => one.revision - other.revision);
    const [first, ...rest] = order;
    if (!first) return;
    const message = before ?? this.#posted(first.reply, first.text);
    this.#keys.set(name, message);
    for (const { text } of before ? order : rest) this.#changed(message, text);
    const last = message.revision;
    expect(order.map(({ revision }) => revision)).toEqual(texts.map((_, at) => last - count + 1 + at));
    expect(new Set(replies.map(({ message_id }) => message_id))).toEqual(new Set([message.id]));
  }

  async #update(message: Shown, { same, lost: isLost }: Extract<Step, { do: 'update' }>): Promise<void> {
    const text = same ? message.text : this.#text();
    if (message.isThere && !same) await this.#lose('chat.update', isLost);
    const body = { data: { text }, version: 'same' as const };
    const call = ask(
      updateMessage(this.#world),
      { params: { id: message.id }, body },
      this.#sender.principal,
      this.#context(),
    );
    if (!message.isThere) {
      expect(await refusalOf(call)).toMatchObject({ code: 'invalid_state' });
      return;
    }
    // What may yet come about is replaced, also by what the channel shows.
    const isChanged = !same || message.isInDoubt;
    if (isChanged) this.#changed(message, text);
    expect(await call).toMatchObject({ revision: message.revision, changed: isChanged });
  }

  async #reply(message: Shown): Promise<void> {
    const text = this.#text();
    const call = this.#ask(text, { reply_to: message.id });
    if (message.isThere) this.#posted(await call, text, message.thread ?? message.ts);
    else expect(await refusalOf(call)).toMatchObject({ code: 'invalid_state' });
  }

  async #remove(message: Shown, { lost: isLost }: Extract<Step, { do: 'remove' }>): Promise<void> {
    if (message.isThere) await this.#lose('chat.delete', isLost);
    const call = ask(
      deleteMessage(this.#world),
      { params: { id: message.id } },
      this.#sender.principal,
      this.#context(),
    );
    expect(await call).toMatchObject({ changed: message.isThere });
    message.isThere = false;
  }
}

describe('the messages of a conversation', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    // Each compile says what its data say, also of calls at one time.
    const { others } = world;
    const call = others.call.bind(others);
    others.call = (operation, input, context) => {
      const { text } = Object(Object(input).data);
      if (typeof text === 'string') {
        const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
        others.answers.rendered = { ...others.answers.rendered, text, blocks };
      }
      return call(operation, input, context);
    };
  });
  afterAll(() => world.close());

  it('are in their channel what each history of calls has made of them, and are charged so', async () => {
    const history = fc.array(step, { minLength: 8, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const expected = new History(world, await newSender(world));
        for (const next of steps) await expected.take(next);
        await expected.check();
      }),
      { numRuns: cases(200, 10), endOnFailure: true },
    );
  });
});
