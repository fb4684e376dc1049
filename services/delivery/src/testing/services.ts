import {
  CodedError,
  describeActor,
  getBatchContent,
  getOrganizationStatus,
  listDestinationQueues,
  mentionedPeople,
  type Operation,
  type ReplyOf,
  renderInteraction,
  renderModal,
  renderTemplate,
  renderTest,
  reserveTogether,
  resolveKey,
  resolveLiveVersions,
} from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { plainAppearance } from '@stanza/test-kit/service-world';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';

/** A call to another service. */
export interface MadeCall {
  operation: string;
  input: unknown;
  context: CallContext;
}

/** The replies of the other services; a test changes the relevant ones. */
export interface Answers {
  rendered: ReplyOf<typeof renderTemplate>;
  /** Of every reservation. */
  reserved: ReplyOf<typeof reserveTogether>['outcomes'][number];
  /** Of an installation's initiator. */
  actor: ReplyOf<typeof describeActor>;
  /** Queues that deliver to any queried destination. */
  queues: { id: string; name: string }[];
  /** By the id of the batch. */
  batches: Map<string, BatchContent>;
  organization: ReplyOf<typeof getOrganizationStatus>;
  /** Of every queried template. */
  version: ReplyOf<typeof resolveLiveVersions>['versions'][number];
  /** Of templates, by key. */
  keys: Map<string, string>;
  /** Of every modal: the number of its steps, and its active version. */
  modalSteps: number;
  modalVersion: string;
  /** E-mail addresses that every message and modal mentions. */
  mentions: string[];
  /** Thrown instead of an answer, by operation. */
  failing: Map<string, Error>;
}

/** What a queue tells of a batch. */
export type BatchContent = ReplyOf<typeof getBatchContent>;

/** A batch of two events for a channel. */
export const twoEvents = (channel_id: string): BatchContent => ({
  queue: { id: uuidv7(), name: 'Deploys' },
  batch: {
    id: uuidv7(),
    opened_at: '2026-11-21T08:00:00.000Z',
    closed_at: '2026-11-21T08:01:00.000Z',
    close_reason: 'window_elapsed',
  },
  live_at: '2026-11-21T08:01:00.000Z',
  template_id: uuidv7(),
  channel_id,
  recipient_email: null,
  recipient_chat_id: null,
  destination_id: null,
  events: [{ service: 'api' }, { service: 'web' }],
});

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
  reserved: { reserved: true, reservation_id: uuidv7(), remaining_credits: 41 },
  actor: { organization_name: 'Acme Rockets', may: true },
  queues: [],
  batches: new Map(),
  organization: { status: 'active' },
  version: {
    found: true,
    template_name: 'Deploys',
    version_id: uuidv7(),
    version_number: 3,
    ...plainAppearance,
  },
  keys: new Map(),
  modalSteps: 1,
  modalVersion: uuidv7(),
  mentions: [],
  failing: new Map(),
});

/** Operations that compile messages and modals. */
const mentioning = new Set<string>([renderTemplate.id, renderTest.id, renderInteraction.id, renderModal.id]);

/** Stands in for the services that delivery calls, and records their calls. */
export class OtherServices implements RpcClient {
  readonly answers = usual();
  readonly calls: MadeCall[] = [];

  async call<O extends Operation>(operation: O, input: unknown, context: CallContext): Promise<ReplyOf<O>> {
    this.calls.push({ operation: operation.id, input, context });
    const failure = this.answers.failing.get(operation.id);
    if (failure) throw failure;
    // As it comes over the wire: JSON that fits the schema.
    const answer = this.#mention(operation, input, this.#answer(operation, input));
    const reply = JSON.parse(JSON.stringify(answer));
    operation.reply.parse(reply);
    return reply;
  }

  /** What was asked for the operation, once: its content, and credits for its messages with their organization. */
  askedFor(operationId: string) {
    const [content, ...others] = this.calls.filter(({ context }) => context.operationId === operationId);
    const [wish, ...further] = this.calls
      .filter(({ operation }) => operation === reserveTogether.id)
      .map(({ input }) => reserveTogether.input.parse(input))
      .flatMap(({ organization_id, wishes }) => wishes.map((one) => ({ organization_id, ...one })))
      .filter(({ operation_id }) => operation_id === operationId);
    if (others.length + further.length > 0) throw new Error(`asked more than once for ${operationId}`);
    return { content, wish };
  }

  /** How often an operation was called. */
  count(operation: Operation): number {
    return this.calls.filter((call) => call.operation === operation.id).length;
  }

  /** Lists the addresses, or warns of the people that a compile is given for them. */
  #mention(operation: Operation, input: unknown, answer: unknown): unknown {
    const { mentions } = this.answers;
    if (!mentioning.has(operation.id) || mentions.length === 0) return answer;
    const { people } = z.object({ people: mentionedPeople }).parse(input);
    const { warnings } = z.object({ warnings: z.array(z.string()) }).parse(answer);
    return people === undefined
      ? Object.assign({}, answer, { mentions })
      : Object.assign({}, answer, { warnings: [...warnings, JSON.stringify(people)] });
  }

  #answer(operation: Operation, input: unknown): unknown {
    if (operation.id === renderInteraction.id) return asWritten(input);
    if (operation.id === renderModal.id) return this.#modal(input);
    if (operation.id === renderTemplate.id) return this.answers.rendered;
    if (operation.id === renderTest.id) return this.#test(input);
    if (operation.id === reserveTogether.id) {
      const { wishes } = reserveTogether.input.parse(input);
      return { outcomes: wishes.map(() => this.answers.reserved) };
    }
    if (operation.id === getOrganizationStatus.id) return this.answers.organization;
    if (operation.id === resolveLiveVersions.id) return { versions: [this.answers.version] };
    if (operation.id === resolveKey.id) {
      return { id: this.answers.keys.get(resolveKey.input.parse(input).key) ?? null };
    }
    if (operation.id === describeActor.id) return this.answers.actor;
    if (operation.id === listDestinationQueues.id) return { queues: this.answers.queues, batches: [] };
    if (operation.id === getBatchContent.id) {
      return this.answers.batches.get(getBatchContent.input.parse(input).batch_id);
    }
    throw new CodedError('internal_error', {
      message: `no reply of ${operation.id} is defined in this test`,
    });
  }

  #test(input: unknown): unknown {
    const { version_id: id, blocks } = renderTest.input.parse(input);
    const { version_number: number, ...rendered } = this.answers.rendered;
    return { ...rendered, ...(blocks && { blocks }), version: id === undefined ? null : { id, number } };
  }

  #modal(input: unknown): unknown {
    const { step } = renderModal.input.parse(input);
    const { modalSteps: step_count, modalVersion: version_id } = this.answers;
    const label = (text: string) => ({ type: 'plain_text', text });
    const inputBlock = {
      type: 'input',
      block_id: 'inputs',
      label: label('Why'),
      element: { type: 'plain_text_input', action_id: 'why' },
    };
    const view = {
      type: 'modal',
      title: label(`Step ${step + 1}`),
      submit: label('Send'),
      blocks: [inputBlock],
    };
    const about = { modal_name: 'Order', version_id, version_number: 1, step, step_count };
    return { ...about, view, warnings: [] };
  }
}

/** What an interaction brings, as if there were no placeholders in it. */
const asWritten = (input: unknown): unknown => {
  const { json, blocks } = renderInteraction.input.parse(input);
  const message = blocks && { blocks, text: 'An update' };
  return { ...(json !== undefined && { json }), ...(message && { message }), warnings: [] };
};
