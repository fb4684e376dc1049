import { type Block, CodedError, measureImpact, type TemplateImpact } from '@stanza/contracts';
import type { CallContext, RpcClient, Tenant } from '@stanza/runtime';
import type { ActivationRights } from './domain/activation-rights.ts';
import type { TemplateRow } from './domain/tables.ts';

/*
 * Stored data that a version would break. Who may make it live is decided by `ActivationRights`.
 */

/** What a request to make a version live says of stored data that breaks; undefined where it says nothing. */
export type AcceptBreaks = boolean | undefined;

/**
 * Whether stored data is looked at before a version is made live: where the request asks for it, or says nothing and
 * the policy `guard_activation` of its organization is on.
 */
export const isGuarded = ({ isGuarded }: ActivationRights, accept: AcceptBreaks): boolean =>
  accept === undefined ? isGuarded : !accept;

/** Metadata that decides what stored data makes of a version. */
export type MessageSettings = Pick<TemplateRow, 'fallback_text' | 'locale' | 'timezone' | 'strict'>;

/** A version that is to be made live, or the blocks of one that is not saved yet with the settings that come along. */
export type Candidate = { template_id: string } & (
  | { version_id: string }
  | { blocks: Block[]; settings: MessageSettings }
);

/**
 * A line for each piece of stored data that breaks with a version, and for each kind of it that the caller may not read:
 * whether that breaks is not told.
 */
export const breaksOf = async (
  rpc: RpcClient,
  context: CallContext,
  { organizationId: organization_id, environment }: Tenant,
  candidate: Candidate,
): Promise<string[]> => {
  const asked = { organization_id, environment, ...candidate };
  const { data, not_looked_at }: TemplateImpact = await rpc.call(measureImpact, asked, context);
  const breaks = data
    .filter(({ effect }) => effect === 'breaks')
    .map(
      ({ source, id, name, problems }) => `${source} ${id} (${name}): ${problems[0]?.message ?? 'breaks'}`,
    );
  const unread = not_looked_at.flatMap(({ what, count, required_scope }) =>
    required_scope ? [`${what}: ${count} not looked at, which takes the scope ${required_scope}`] : [],
  );
  return [...breaks, ...unread];
};

/** The error of an activation with which stored data breaks. */
export const activationBreaks = (lines: readonly string[]): CodedError =>
  new CodedError('activation_breaks', {
    message: `Stored data breaks with this version, or is not yours to read; see details and POST /v1/templates/{id}/impact, or accept that with accept_breaks.`,
    details: lines.join('\n'),
  });

/**
 * Refuses a version with which stored data breaks, unless the request accepts that or no policy asks.
 * @throws CodedError `activation_breaks` with a line for each piece of data
 */
export const guardActivation = async (
  rpc: RpcClient,
  context: CallContext,
  tenant: Tenant,
  { accept, rights, ...candidate }: Candidate & { accept: AcceptBreaks; rights: ActivationRights },
): Promise<void> => {
  if (!isGuarded(rights, accept)) return;
  const lines = await breaksOf(rpc, context, tenant, candidate);
  if (lines.length > 0) throw activationBreaks(lines);
};
