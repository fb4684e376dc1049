import { CodedError, type ReplyOf, resolveLiveVersions } from '@stanza/contracts';
import { type CallContext, coalesce, type Metrics, type RpcClient, type Tenant } from '@stanza/runtime';
import { batchContext, gatherMs } from './batches.ts';

/** A template to compile, and for whom. */
export interface TemplateRequest {
  tenant: Tenant;
  templateId: string;
  /** The moment whose live version is meant; now unless given. */
  liveAt?: string | undefined;
  context: CallContext;
}

type Resolved = ReplyOf<typeof resolveLiveVersions>['versions'][number];

/** A template's live version, and how its messages are to look. */
export type LiveVersion = Extract<Resolved, { found: true }>;

/** Templates of one call. */
const maxBatch = 128;

const refusals = {
  template_not_found: undefined,
  version_not_found: 'The template has no live version; activate one first.',
  invalid_state: 'The template is archived; take it back into service before you use it.',
} as const;

/**
 * Makes the function that finds the live version of a template. Requests that come together go together, whoever they
 * are from, and each only with a call sent after it came: what it answers was live after the question.
 */
export const liveVersions = (
  rpc: RpcClient,
  metrics: Metrics,
): ((request: TemplateRequest) => Promise<LiveVersion>) => {
  const resolve = coalesce<TemplateRequest, Resolved>({
    name: 'live-versions',
    key: () => 'all',
    maxBatch,
    gatherMs,
    metrics,
    run: async (requests) => {
      const templates = requests.map(({ tenant, templateId, liveAt }) => ({
        organization_id: tenant.organizationId,
        environment: tenant.environment,
        template_id: templateId,
        live_at: liveAt,
      }));
      const { versions } = await rpc.call(resolveLiveVersions, { templates }, batchContext(requests));
      return versions;
    },
  });
  return async (request) => {
    const version = await resolve(request);
    if (version.found) return version;
    const message = refusals[version.code];
    throw new CodedError(version.code, message === undefined ? {} : { message });
  };
};
