import {
  type Block,
  type Environment,
  matchDestinations,
  matchQueues,
  type Problem,
  problemsError,
  type UnmappedReference,
} from '@stanza/contracts';
import { withoutVersions } from '@stanza/engine';
import { type CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { type Reference, type ReferenceKind, referencesIn, withReferences } from '../domain/references.ts';
import { expandedBlocks } from '../expanded-blocks.ts';
import { modalKeys } from '../store/keys.ts';
import type { Source } from './source.ts';

/** What has the key of a modal or destination in the other environment. */
interface Match {
  id: string;
  key: string;
  match: string | null;
}

type Matches = Record<ReferenceKind, Map<string, Match>>;

/** The content of templates with the references of the environment that they go to. */
export interface Mapped {
  /** By the key of the template. */
  blocks: Map<string, Block[]>;
  unmapped: UnmappedReference[];
}

type Ask = { from: Tenant; to: Environment; source: Source };

const idsOf = (references: readonly Reference[], wanted: ReferenceKind): string[] => [
  ...new Set(references.filter(({ kind }) => kind === wanted).map(({ id }) => id)),
];

const findMatches = async (
  { database, rpc }: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  { from, to }: Ask,
  references: readonly Reference[],
): Promise<Matches> => {
  const { organizationId: organization_id, environment } = from;
  const destinations = idsOf(references, 'destination');
  const asked = { organization_id, environment, to, ids: destinations };
  const [modals, { matches }] = await Promise.all([
    modalKeys.matches(from, database, to, idsOf(references, 'modal')),
    destinations.length === 0 ? { matches: [] } : rpc.call(matchDestinations, asked, context),
  ]);
  const byId = (found: readonly Match[]) => new Map(found.map((it) => [it.id, it]));
  return { modal: byId(modals), destination: byId(matches) };
};

const unmapped = (
  { from, to }: Ask,
  template_key: string,
  { kind, id, pointer }: Reference,
  found: Match | undefined,
): UnmappedReference => ({
  kind,
  id,
  key: found?.key ?? null,
  template_key,
  pointer,
  is_blocking: true,
  message: found
    ? `${to} has no ${kind} with the key "${found.key}"; create it there.`
    : `${from.environment} has no ${kind} ${id}; name one that exists in a new version.`,
});

const queuesWithout = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  context: CallContext,
  { from, to, source }: Ask,
): Promise<UnmappedReference[]> => {
  const keys = new Map(source.templates.map(({ template }) => [template.id, template.key]));
  const { organizationId: organization_id, environment } = from;
  const asked = { organization_id, environment, to, template_ids: [...keys.keys()] };
  const { queues } = await rpc.call(matchQueues, asked, context);
  return queues
    .filter(({ match }) => match === null)
    .map(({ id, key, template_id }) => ({
      kind: 'queue',
      id,
      key,
      template_key: keys.get(template_id) ?? '',
      pointer: null,
      is_blocking: false,
      message: `A queue makes digests of the template, and ${to} has no queue with its key, "${key}".`,
    }));
};

/** Blocks with the live versions of the partials of the environment that they go to, and the problems of that. */
const expandedThere = async (
  { database }: Pick<Dependencies, 'database'>,
  { from, to }: Ask,
  key: string,
  own: readonly Block[],
): Promise<{ blocks: Block[]; problems: Problem[] }> => {
  const { blocks, problems } = await expandedBlocks(new Tenant(from.organizationId, to), database, own);
  const told = problems.map((it) => ({ ...it, message: `${it.message} (${to}, template \`${key}\`)` }));
  return { blocks, problems: told };
};

/**
 * Replaces what templates name by what has the same key in the other environment, and tells what has none.
 * @throws CodedError `compilation_failed` where partials are missing there, or read other names: of all templates
 */
export const mapReferences = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  ask: Ask,
): Promise<Mapped> => {
  const references = ask.source.templates.flatMap(({ version }) =>
    referencesIn(withoutVersions(version.blocks)),
  );
  const [matches, queues] = await Promise.all([
    findMatches(dependencies, context, ask, references),
    queuesWithout(dependencies, context, ask),
  ]);
  const mapped: Mapped = { blocks: new Map(), unmapped: [] };
  const problems: Problem[] = [];
  for (const { template, version } of ask.source.templates) {
    const own = withReferences(withoutVersions(version.blocks), (reference) => {
      const found = matches[reference.kind].get(reference.id);
      if (found?.match) return found.match;
      mapped.unmapped.push(unmapped(ask, template.key, reference, found));
      return reference.id;
    });
    const expanded = await expandedThere(dependencies, ask, template.key, own);
    mapped.blocks.set(template.key, expanded.blocks);
    problems.push(...expanded.problems);
  }
  if (problems.length > 0) throw problemsError('compilation_failed', problems);
  mapped.unmapped.push(...queues);
  return mapped;
};
