import { type Block, matchDestinations, type Problem } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { isResourceId, namedIn, type Reference, type ReferenceKind } from './domain/references.ts';
import { modalKeys } from './store/keys.ts';

type Finding = Pick<Dependencies, 'database' | 'rpc'>;

const idsOf = (references: readonly Reference[], wanted: ReferenceKind): string[] => [
  ...new Set(references.filter(({ kind, id }) => kind === wanted && isResourceId(id)).map(({ id }) => id)),
];

const findModals = async (
  { database }: Finding,
  tenant: Tenant,
  ids: readonly string[],
): Promise<string[]> => {
  if (ids.length === 0) return [];
  const found = await modalKeys.matches(tenant, database, tenant.environment, ids);
  return found.map(({ id }) => id);
};

const findDestinations = async (
  { rpc }: Finding,
  { organizationId: organization_id, environment }: Tenant,
  context: CallContext,
  ids: string[],
): Promise<string[]> => {
  if (ids.length === 0) return [];
  const asked = { organization_id, environment, to: environment, ids };
  const { matches } = await rpc.call(matchDestinations, asked, context);
  return matches.map(({ id }) => id);
};

/**
 * The modals and destinations that the interactions of blocks name by id and that their environment does not have.
 * @throws CodedError `service_unavailable` where a destination is named and its owner cannot be asked
 */
export const referenceProblems = async (
  finding: Finding,
  context: CallContext,
  tenant: Tenant,
  blocks: readonly Block[],
): Promise<Problem[]> => {
  const references = namedIn(blocks);
  const [modals, destinations] = await Promise.all([
    findModals(finding, tenant, idsOf(references, 'modal')),
    findDestinations(finding, tenant, context, idsOf(references, 'destination')),
  ]);
  const found = new Set([...modals, ...destinations].map((id) => id.toLowerCase()));
  return references
    .filter(({ id }) => !found.has(id))
    .map(({ kind, pointer }) => ({
      pointer,
      rule: 'reference.unknown',
      message: `There is no ${kind} of this id in the ${tenant.environment} environment.`,
      hint: `GET /v1/${kind}s lists them.`,
    }));
};
