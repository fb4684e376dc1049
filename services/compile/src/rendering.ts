import { CodedError, type ReplyOf, resolveLiveVersions } from '@stanza/contracts';
import {
  type CallContext,
  type Clock,
  coalesce,
  jointContext,
  type Metrics,
  type RpcClient,
  type Tenant,
} from '@stanza/runtime';
import { gatherMs } from './batches.ts';
import { type Compiled, type Inputs, madeOrThrow, withDefaults } from './domain/compilation.ts';
import type { RunTask } from './runs/runs.ts';
import { messageTask } from './runs/tasks.ts';
import type { VersionSources } from './version-sources.ts';

/** A template to compile with data. */
export interface RenderRequest extends Inputs {
  tenant: Tenant;
  templateId: string;
  /** The moment of the live version; now by default. */
  liveAt?: string | undefined;
  context: CallContext;
}

/** The live version of a template, and its message for the data. */
export interface Rendered {
  version: LiveVersion;
  message: Compiled;
}

/** Compiles the live version of a template. */
export type Render = (request: RenderRequest) => Promise<Rendered>;

/** The dependencies of rendering. */
export interface RenderDependencies {
  liveVersion: (request: TemplateRequest) => Promise<LiveVersion>;
  sources: Pick<VersionSources, 'get'>;
  run: RunTask;
  clock: Clock;
}

/** Makes the common path from a template's id to a message, for compile and for send. */
export const rendering =
  ({ liveVersion, sources, run, clock }: RenderDependencies): Render =>
  async (request) => {
    const { tenant } = request;
    const version = await liveVersion(request);
    const source = await sources.get({
      tenant,
      versionId: version.version_id,
      fallbackText: version.fallback_text,
    });
    const inputs = withDefaults(request, version);
    const message = madeOrThrow(await run(messageTask, { source, inputs, now: clock.now().getTime() }));
    return { version, message };
  };

/** A template to compile, and its tenant. */
export interface TemplateRequest {
  tenant: Tenant;
  templateId: string;
  /** The moment of the live version; now by default. */
  liveAt?: string | undefined;
  /** The version in place of the live one; a template service of the previous version answers with that one. */
  versionId?: string | undefined;
  context: CallContext;
}

type Resolved = ReplyOf<typeof resolveLiveVersions>['versions'][number];

/** A template's live version, and the appearance of its messages. */
export type LiveVersion = Extract<Resolved, { found: true }>;

/** Templates of one call. */
const maxBatch = 128;

/** The message of `invalid_state` for a template that is archived. */
export const archivedMessage = 'The template is archived; unarchive it before you use it.';

const refusals = {
  template_not_found: undefined,
  version_not_found: 'The template has no live version; activate one first.',
  invalid_state: archivedMessage,
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
      const templates = requests.map(({ tenant, templateId, liveAt, versionId }) => ({
        organization_id: tenant.organizationId,
        environment: tenant.environment,
        template_id: templateId,
        live_at: liveAt,
        version_id: versionId,
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
