import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newContext } from '@stanza/runtime';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import {
  ask,
  newSender,
  openWorld,
  refusalOf,
  type SendBody,
  type Sender,
  send,
  settlementsOf,
  type World,
} from '../testing/world.ts';
import { deleteMessage } from './delete-message.ts';
import { updateMessage } from './update-message.ts';

const keys = ['deploy', 'deploy', 'build'] as const;

/** `lost`: the platform does it, and its answer is lost. `which` counts the messages from the latest. */
type Step =
  | { do: 'send'; key: string | undefined; on: 'update' | 'reply' | 'skip' | 'post'; lost: boolean }
  | { do: 'race'; key: string; count: number }
  | { do: 'update'; which: number; same: boolean; lost: boolean }
  | { do: 'reply'; which: number }
  | { do: 'remove'; which: number; lost: boolean };

const key = fc.constantFrom(...keys);
const which = fc.constantFrom(0, 0, 0, 1, 2);
const lost = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    key: fc.option(key, { nil: undefined }),
    on: fc.constantFrom('update', 'update', 'reply', 'skip', 'post'),
    lost,
  }),
  fc.record({ do: fc.constant('race' as const), key, count: fc.integer({ min: 2, max: 3 }) }),
  fc.record({ do: fc.constant('update' as const), which, same: fc.boolean(), lost }),
  fc.record({ do: fc.constant('reply' as const), which }),
  fc.record({ do: fc.constant('remove' as const), which, lost }),
);

/** A message as it should be in the channel. */
interface Shown {
  id: string;
  ts: string;
  text: string;
  revision: number;
  thread: string | undefined;
  isThere: boolean;
}

/** What senders may expect of a conversation, beside what they get. */
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

  async take(next: Step): Promise<void> {
    if (next.do === 'send') return this.#send(next);
    if (next.do === 'race') return this.#race(next);
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
    const there = this.#all.filter(({ isThere }) => isThere).map(({ isThere: _, ...it }) => it);
    expect(shown.toSorted(byTs)).toEqual(there.toSorted(byTs));
    const settled = await settlementsOf(this.#world, this.#sender.principal);
    const charges = settled.flatMap(({ items }) => items.filter(({ charged }) => charged));
    expect(charges).toHaveLength(this.#charged);
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

  #ask(text: string, body: SendBody) {
    const { principal, channel } = this.#sender;
    return send(this.#world, principal, { channel_id: channel, data: { text }, ...body }, this.#context());
  }

  #posted(reply: { message_id: string; message_ts: string }, text: string, thread?: string): Shown {
    const made = { id: reply.message_id, ts: reply.message_ts, text, revision: 1, thread, isThere: true };
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
    message.revision += 1;
    this.#charged += 1;
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
    if (!same) this.#changed(message, text);
    expect(await call).toMatchObject({ revision: message.revision, changed: !same });
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
      { numRuns: cases(200, 12) },
    );
  });
});
