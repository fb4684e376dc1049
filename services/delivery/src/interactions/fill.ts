import {
  type Block,
  CodedError,
  type MentionedPeople,
  type ReplyOf,
  renderInteraction,
} from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import { z } from 'zod';
import type { Deadline } from '../deadline.ts';
import { withMentions } from '../messages/mentions.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { factsOf } from './facts.ts';
import type { InteractionRow } from './interaction-tables.ts';

type Source = { json: unknown } | { blocks: Block[]; people?: MentionedPeople };

const render = (
  { rpc }: Pick<InteractivityDependencies, 'rpc'>,
  tenant: Tenant,
  row: InteractionRow,
  source: Source,
  context: CallContext,
): Promise<ReplyOf<typeof renderInteraction>> =>
  rpc.call(
    renderInteraction,
    {
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      template_id: row.template_id,
      values: row.kept,
      facts: factsOf(row),
      ...source,
    },
    context,
  );

const objectSchema = z.record(z.string(), z.unknown());

const objectOf = (value: unknown): Record<string, unknown> => {
  const parsed = objectSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CodedError('invalid_data', {
    message: 'The data of a modal or a destination must be an object.',
  });
};

const named = z.object({ id: z.string().catch(''), data: z.unknown() });

/** See {@link fillNamed}. */
export interface FilledAction {
  /** The id of the resource; undefined where the text is no id. */
  id: string | undefined;
  data: Record<string, unknown>;
  locale: string | undefined;
  timezone: string | undefined;
}

/** An action that names a resource by id, with its id and its data filled in, and the formats of the template. */
export const fillNamed = async (
  dependencies: Pick<InteractivityDependencies, 'rpc'>,
  tenant: Tenant,
  row: InteractionRow,
  action: { id: string; data: unknown },
  context: CallContext,
): Promise<FilledAction> => {
  const { json, locale, timezone } = await render(dependencies, tenant, row, { json: action }, context);
  const { id, data } = named.parse(json);
  return { id: z.guid().safeParse(id.trim()).data, data: objectOf(data), locale, timezone };
};

/** Compiles the blocks of an update, with the people whom they mention by e-mail. */
export const fillBlocks = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  row: InteractionRow,
  blocks: Block[],
  { context, deadline }: { context: CallContext; deadline: Deadline },
) => {
  const { message } = await withMentions(await render(dependencies, tenant, row, { blocks }, context), {
    people: dependencies.people,
    access: () => accessTo(dependencies, tenant, row.workspace_id),
    deadline,
    log: dependencies.log,
    again: (people) => render(dependencies, tenant, row, { blocks, people }, context),
  });
  if (!message) throw new CodedError('internal_error', {}, { cause: new Error('no message was rendered') });
  return message;
};
