import { CodedError, type Operation, type ReplyOf, renderTemplate, reserveCredits } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';

/** A call that was made of another service. */
export interface MadeCall {
  operation: string;
  input: unknown;
  context: CallContext;
}

/** What the other services answer; a test changes what it is about. */
export interface Answers {
  rendered: ReplyOf<typeof renderTemplate>;
  reserved: ReplyOf<typeof reserveCredits>;
  /** Thrown instead of an answer, by operation. */
  failing: Map<string, Error>;
}

const usual = (): Answers => ({
  rendered: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Version 1.4.2 is live' } }],
    text: 'Version 1.4.2 is live',
    template_name: 'Deploys',
    version_id: uuidv7(),
    version_number: 3,
    user_name: 'Deploy bot',
    icon_emoji: ':rocket:',
    warnings: ['author: no value'],
    fields_truncated: 1,
  },
  reserved: { reservation_id: uuidv7(), remaining_credits: 41 },
  failing: new Map(),
});

/** Stands in for the services that delivery calls, and keeps their calls. */
export class OtherServices implements RpcClient {
  readonly answers = usual();
  readonly calls: MadeCall[] = [];

  async call<O extends Operation>(operation: O, input: unknown, context: CallContext): Promise<ReplyOf<O>> {
    this.calls.push({ operation: operation.id, input, context });
    const failure = this.answers.failing.get(operation.id);
    if (failure) throw failure;
    // As it comes over the wire: JSON that fits the schema.
    const reply = JSON.parse(JSON.stringify(this.#answer(operation)));
    operation.reply.parse(reply);
    return reply;
  }

  /** How often an operation was called. */
  count(operation: Operation): number {
    return this.calls.filter((call) => call.operation === operation.id).length;
  }

  #answer(operation: Operation): unknown {
    if (operation.id === renderTemplate.id) return this.answers.rendered;
    if (operation.id === reserveCredits.id) return this.answers.reserved;
    throw new CodedError('internal_error', { message: `nobody answers ${operation.id} here` });
  }
}
