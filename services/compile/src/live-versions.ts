import { CodedError, type ReplyOf, resolveLiveVersions } from '@stanza/contracts';
import {
  type CallContext,
  coalesce,
  jointContext,
  type Metrics,
  type RpcClient,
  type Tenant,
} from '@stanza/runtime';
import { gatherMs } from './batches.ts';

/** A template to compile, and its tenant. */
export interface TemplateRequest {
  tenant: Tenant;
  templateId: string;
  /** The moment of the live version; now by default. */
  liveAt?: string | undefined;
  context: CallContext;
}

type Resolved = ReplyOf<typeof resolveLiveVersions>['versions'][number];

/** A template's live version, and the appearance of its messages. */
export type LiveVersion = Extract<Resolved, { found: true }>;

/** Templates of one call. */
const maxBatch = 128;

const refusals = {
  template_not_found: undefined,
  version_not_found: 'The template has no live version; activate one first.',
  invalid_state: 'The template is archived; unarchive it before you use it.',
} as const;

/**
 * Makes the function that finds the live version of a template. Concurrent requests are coalesced across tenants, and
 * each only into a call sent after its arrival, so the answer is never older than the request.
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
      const { versions } = await rpc.call(resolveLiveVersions, { templates }, jointContext(requests));
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
