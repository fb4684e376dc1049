import {
  type Block,
  type InputOf,
  limits,
  measureImpact,
  notFound,
  getPartialImpact as operation,
  type PartialImpact,
  problemsError,
} from '@stanza/contracts';
import { handle, type Keyed, type Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { UserRow } from '../domain/partials.ts';
import type { TemplateRow } from '../domain/tables.ts';
import { expandedBlocks } from '../expanded-blocks.ts';
import { type Candidate, repinned } from '../repinned.ts';
import { maxUsers, pageOfUsers } from '../store/partials.ts';
import { findKeyedPartial } from '../store/templates.ts';
import { findVersion, readBlocks } from '../store/versions.ts';

type Looking = Pick<Dependencies, 'database'>;

/** The version, or the blocks as the next version, with its id where it has one. */
const candidateOf = async (
  { database }: Looking,
  tenant: Tenant,
  partial: Keyed<TemplateRow>,
  { version_id, blocks }: InputOf<typeof operation>['body'],
): Promise<Candidate & { id: string | null }> => {
  const { key } = partial;
  if (blocks) {
    const expanded = await expandedBlocks(tenant, database, blocks, key);
    if (expanded.problems.length > 0) throw problemsError('compilation_failed', expanded.problems);
    return { id: null, key, version: partial.last_version_number + 1, blocks: expanded.blocks };
  }
  const version = await findVersion(tenant, database, partial.id, version_id ?? '');
  if (!version) throw notFound('version');
  return { id: version.id, key, version: version.version_number, blocks: version.blocks };
};

/** Templates in use whose live version holds the partial, and how many more there are. */
const usersOf = async ({ database }: Looking, tenant: Tenant, partialId: string) => {
  const { items } = await pageOfUsers(tenant, database, partialId, { limit: maxUsers, offset: 0 });
  const live = items.filter(
    ({ kind, live: holds, is_archived }) =>
      kind === 'template' && !is_archived && holds?.partial_versions.length,
  );
  const looked = live.slice(0, limits.impactedTemplates);
  return { looked, left: live.length - looked.length };
};

/** Tells what rolling out a version of a partial, or blocks, would change and break. */
export const getPartialImpact = ({ database, rpc }: Pick<Dependencies, 'database' | 'rpc'>) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const partial = await findKeyedPartial(tenant, database, params.id);
    if (!partial) throw notFound('partial');
    const candidate = await candidateOf({ database }, tenant, partial, body);
    const { looked, left } = await usersOf({ database }, tenant, partial.id);
    const { organizationId: organization_id, environment } = tenant;

    const summaryOf = async (template_id: string, blocks: Block[]) => {
      const asked = { organization_id, environment, template_id, blocks };
      return (await rpc.call(measureImpact, asked, context)).summary;
    };
    const look = async ({ id, key, name, live }: UserRow): Promise<PartialImpact['templates'][number]> => {
      const blocks = (await readBlocks(tenant, database, live?.version_id ?? '')) ?? [];
      const changed = await repinned(tenant, database, { blocks, candidate, self: undefined });
      const { problems } = changed;
      const summary = problems.length > 0 ? null : await summaryOf(id, changed.blocks);
      return { id, key, name, problems, summary };
    };
    const templates: PartialImpact['templates'] = [];
    for (const user of looked) templates.push(await look(user));
    return { partial_id: partial.id, version_id: candidate.id, templates, not_looked_at: left };
  });
