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
import { type Compiled, compileOrThrow, type Inputs, parse, withDefaults } from '../domain/compilation.ts';
import type { Programs } from '../programs.ts';

/** The dependencies of previewing. */
export interface PreviewDependencies {
  rpc: RpcClient;
  programs: Pick<Programs, 'get'>;
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
  { rpc, programs, clock }: PreviewDependencies,
  { template_id, version_id }: Version,
  body: Body,
  { principal, context }: { principal: Principal; context: CallContext },
) => {
  const { organization_id, environment } = principal;
  const named = { organization_id, environment, template_id, version_id };
  const source = await rpc.call(getPreviewSource, named, context);
  const parsed = await programs.get({
    tenant: Tenant.of(principal),
    versionId: source.version_id,
    fallbackText: source.fallback_text,
  });
  const inputs = inputsOf(body, body.data ?? source.sample_data ?? {});
  return {
    ...answer(compileOrThrow(parsed, withDefaults(inputs, source), clock.now())),
    template: { id: template_id, name: source.template_name },
    version_id: source.version_id,
    version_number: source.version_number,
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
    const parsed = parse(fillIds(blocks, newId), null);
    return answer(compileOrThrow(parsed, inputsOf(body, body.data ?? {}), dependencies.clock.now()));
  });
