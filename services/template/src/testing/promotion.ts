import {
  type ActivationPolicy,
  getOrganizationStatus,
  type InputOf,
  matchDestinations,
  matchQueues,
  measureImpact,
  type Principal,
  type Promotion,
  type promoteTemplates as promoting,
  type TemplateImpact,
} from '@stanza/contracts';
import { type AnyHandler, handle, newContext, newId } from '@stanza/runtime';
import { promoteTemplates } from '../operations/promote-templates.ts';
import { ask, somebody, type World } from './world.ts';

/** What the other services answer to a promotion. */
export interface Neighbours {
  /** Destinations by the id in the environment that is promoted from. */
  destinations: { id: string; key: string; match: string | null }[];
  queues: { id: string; key: string; name: string; template_id: string; match: string | null }[];
  /** Names of stored data that breaks with whatever is made live. */
  breaking: string[];
  guard_activation: boolean;
  activation?: ActivationPolicy;
  /** The policy from the second answer on. */
  tightened?: ActivationPolicy | undefined;
  /** Whether whoever decides holds the scope for it. */
  may?: boolean;
  /** Collects what is measured. */
  measured?: InputOf<typeof measureImpact>[];
}

/** Handlers that answer for the other services. */
export const neighboursOf = (answers: Neighbours): AnyHandler[] => [
  handle(matchDestinations, async ({ input: { ids } }) => ({
    matches: answers.destinations.filter(({ id }) => ids.includes(id)),
  })),
  handle(matchQueues, async ({ input: { template_ids } }) => ({
    queues: answers.queues.filter((it) => template_ids.includes(it.template_id)),
  })),
  handle(getOrganizationStatus, async () => {
    const { activation, guard_activation, tightened, may } = answers;
    if (tightened !== undefined) Object.assign(answers, { activation: tightened });
    return {
      status: 'active' as const,
      guard_activation,
      ...(activation !== undefined && { activation }),
      ...(may !== undefined && { may }),
    };
  }),
  handle(measureImpact, async ({ input }) => {
    answers.measured?.push(input);
    return {
      template_id: input.template_id,
      version_id: input.version_id ?? null,
      current_version_id: null,
      inputs: { required: [], added: [], gone: [], retyped: [] },
      data: answers.breaking.map(broken),
      summary: { same: 0, changed: 0, warning: 0, breaks: answers.breaking.length },
      not_looked_at: [],
    };
  }),
];

const broken = (name: string): TemplateImpact['data'][number] => ({
  source: 'sample_data',
  id: '01938c2e-7b1a-7c3d-9e4f-000000000001',
  name,
  owner: null,
  effect: 'breaks',
  problems: [],
  problem_count: 0,
});

/** One person in both environments of a new organization. */
export interface Person {
  preview: Principal;
  production: Principal;
}

/** Signs a person in to both environments of a new organization. */
export const newPerson = (): Person => {
  const actor = { type: 'session' as const, id: 'session-1', user_id: newId() };
  const preview = somebody({ environment: 'preview', actor });
  return { preview, production: { ...preview, environment: 'production' } };
};

/** Promotes to an environment; the defaults are those of the API. */
export const promote = (
  world: World,
  to: Principal,
  body: Partial<InputOf<typeof promoting>['body']> & { keys: string[] },
  source?: Principal,
): Promise<Promotion> => {
  const from = to.environment === 'production' ? ('preview' as const) : ('production' as const);
  const context = { ...newContext({ deadlineMs: 60_000, principal: to }), ...(source && { source }) };
  return ask(
    promoteTemplates(world),
    {
      body: { from, activate: false, dry_run: false, ...body },
    },
    to,
    context,
  );
};

const tables = [
  'templates',
  'template_keys',
  'versions',
  'activations',
  'entities',
  'entity_keys',
  'entity_fields',
  'sample_data',
] as const;

/** All rows of an environment, by table: what a promotion may write. */
export const rowsOf = async (
  world: World,
  { organization_id, environment }: Principal,
): Promise<Record<string, unknown[]>> => {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    found[table] = await world.rows(
      `select to_jsonb(${table}) as row
       from ${table}
       where organization_id = $1 and environment = $2
       order by to_jsonb(${table})::text`,
      [organization_id, environment],
    );
  }
  return found;
};
