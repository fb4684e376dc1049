import {
  getPreviewSource,
  type InputOf,
  previewTemplate as operation,
  type Principal,
} from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import {
  type CallContext,
  type Clock,
  handle,
  namedTemplateId,
  newId,
  type RpcClient,
  Tenant,
} from '@stanza/runtime';
import { type Compiled, type Inputs, madeOrThrow, withDefaults } from '../domain/compilation.ts';
import { expandedOrThrow } from '../expanded.ts';
import type { RunTask } from '../runs/runs.ts';
import { sourceOf } from '../runs/task.ts';
import { messageTask } from '../runs/tasks.ts';
import type { VersionSources } from '../version-sources.ts';

/** The dependencies of previewing. */
export interface PreviewDependencies {
  rpc: RpcClient;
  sources: Pick<VersionSources, 'get'>;
  run: RunTask;
  clock: Clock;
}

type Body = InputOf<typeof operation>['body'];
type Version = { template_id: string; version_id?: string | undefined };

const answer = (message: Compiled) => ({
  success: true as const,
  blocks: message.blocks,
  text: message.text,
  metadata: message.metadata,
  warnings: message.warnings,
  chat_truncation: { fields_truncated: message.fieldsTruncated },
});

const inputsOf = ({ strict, locale, timezone }: Body, data: Inputs['data']): Inputs => ({
  data,
  strict,
  locale,
  timezone,
});

const previewVersion = async (
  { rpc, sources, run, clock }: PreviewDependencies,
  { template_id, version_id }: Version,
  body: Body,
  { principal, context }: { principal: Principal; context: CallContext },
) => {
  const { organization_id, environment } = principal;
  const named = { organization_id, environment, template_id, version_id };
  const found = await rpc.call(getPreviewSource, named, context);
  const source = await sources.get({
    tenant: Tenant.of(principal),
    versionId: found.version_id,
    fallbackText: found.fallback_text,
  });
  const inputs = withDefaults(inputsOf(body, body.data ?? found.sample_data ?? {}), found);
  return {
    ...answer(madeOrThrow(await run(messageTask, { source, inputs, now: clock.now().getTime() }))),
    template: { id: template_id, name: found.template_name },
    version_id: found.version_id,
    version_number: found.version_number,
  };
};

/** Compiles any version of a template, or blocks that are not yet a version, like compile does, without a charge. */
export const previewTemplate = (dependencies: PreviewDependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { version_id, blocks = [] } = body;
    if (body.blocks === undefined) {
      const lookup = { rpc: dependencies.rpc, context, tenant };
      const template_id = await namedTemplateId(lookup, body);
      return previewVersion(dependencies, { template_id, version_id }, body, { principal, context });
    }
    const { rpc, run, clock } = dependencies;
    const whole = await expandedOrThrow(rpc, { tenant, context, blocks });
    const source = sourceOf(fillIds(whole, newId), null);
    const inputs = inputsOf(body, body.data ?? {});
    return answer(madeOrThrow(await run(messageTask, { source, inputs, now: clock.now().getTime() })));
  });
