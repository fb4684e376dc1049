import { getInputSource, type Principal, problemsError } from '@stanza/contracts';
import type { Inputs } from '@stanza/engine';
import { type CallContext, type RpcClient, Tenant } from '@stanza/runtime';
import { knownFields } from './domain/known-fields.ts';
import type { RunTask } from './runs/runs.ts';
import { inputsTask } from './runs/tasks.ts';
import type { VersionSources } from './version-sources.ts';

/** The dependencies of deriving inputs. */
export interface InputDependencies {
  rpc: RpcClient;
  sources: Pick<VersionSources, 'get'>;
  run: RunTask;
}

/** A version of a template. */
export interface InputRequest {
  templateId: string;
  versionId: string | undefined;
  principal: Principal;
  context: CallContext;
}

/**
 * Derives the inputs of a version, the live one by default.
 * @throws CodedError `template_not_found`, `version_not_found`, or `compilation_failed` for a version saved with an
 * older engine that this one refuses
 */
export const inputSchemaOf = async (
  { rpc, sources, run }: InputDependencies,
  { templateId, versionId, principal, context }: InputRequest,
): Promise<Inputs & { version_id: string }> => {
  const { organization_id, environment } = principal;
  const asked = { organization_id, environment, template_id: templateId, version_id: versionId };
  const found = await rpc.call(getInputSource, asked, context);
  const source = await sources.get({
    tenant: Tenant.of(principal),
    versionId: found.version_id,
    fallbackText: found.fallback_text,
  });
  const known = knownFields(found.entity_fields);
  const ownLocale = found.locale ?? undefined;
  const inputs = await run(inputsTask, { source, sample: found.sample_data ?? {}, known, ownLocale });
  if (!inputs.ok) throw problemsError('compilation_failed', inputs.problems);
  return { ...inputs, version_id: found.version_id };
};
