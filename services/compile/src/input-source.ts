import { getInputSource, type Principal, problemsError } from '@stanza/contracts';
import { deriveInputs, type Inputs } from '@stanza/engine';
import { type CallContext, type RpcClient, Tenant } from '@stanza/runtime';
import { knownFields } from './domain/known-fields.ts';
import { problemsOfTemplate } from './domain/pointers.ts';
import type { Programs } from './programs.ts';

/** The dependencies of deriving inputs. */
export interface InputDependencies {
  rpc: RpcClient;
  programs: Pick<Programs, 'get'>;
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
export const inputsOf = async (
  { rpc, programs }: InputDependencies,
  { templateId, versionId, principal, context }: InputRequest,
): Promise<Inputs & { version_id: string }> => {
  const { organization_id, environment } = principal;
  const asked = { organization_id, environment, template_id: templateId, version_id: versionId };
  const source = await rpc.call(getInputSource, asked, context);
  const parsed = await programs.get({
    tenant: Tenant.of(principal),
    versionId: source.version_id,
    fallbackText: source.fallback_text,
  });
  if (!parsed.ok) throw problemsError('compilation_failed', problemsOfTemplate(parsed.problems));
  const inputs = deriveInputs(parsed.program, source.sample_data ?? {}, knownFields(source.entity_fields));
  return { ...inputs, version_id: source.version_id };
};
