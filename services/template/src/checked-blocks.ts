import { type Block, checkBlocks, type Problem, problemsError } from '@stanza/contracts';
import { problemsOfPartial } from '@stanza/engine';
import type { CallContext, RpcClient, Tenant } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import type { TemplateRow, VersionContent, VersionRow } from './domain/tables.ts';
import { expandedBlocks, inBlocks } from './expanded-blocks.ts';
import { referenceProblems } from './reference-problems.ts';

/** The content of a version to be saved. */
export interface Draft {
  blocks: Block[];
  sample_data?: Record<string, unknown> | undefined;
  /** The template's settings for compiling; its fallback text is compiled with the blocks. */
  template: Pick<TemplateRow, 'fallback_text' | 'locale' | 'timezone'>;
}

const check = async (
  rpc: RpcClient,
  context: CallContext,
  { blocks, sample_data, template }: Draft,
): Promise<{ content: VersionContent; problems: Problem[] }> => {
  const { fallback_text, locale, timezone } = template;
  const input = { blocks, sample_data: sample_data ?? {}, fallback_text, locale, timezone };
  const { problems, blocks: filled, request_format } = await rpc.call(checkBlocks, input, context);
  return { problems, content: { blocks: filled, sample_data: sample_data ?? null, request_format } };
};

const contentOrThrow = (content: VersionContent, problems: readonly Problem[]): VersionContent => {
  if (problems.length > 0) throw problemsError('compilation_failed', problems);
  return content;
};

/**
 * Fills the ids of the blocks and compiles them with the sample data, like every later use of the version.
 * @throws CodedError `compilation_failed` with every problem, including those of the sample data, since it belongs to
 * the version
 */
export const checkedBlocks = async (
  rpc: RpcClient,
  context: CallContext,
  draft: Draft,
): Promise<VersionContent> => {
  const { content, problems } = await check(rpc, context, draft);
  return contentOrThrow(content, problems);
};

/** Checks blocks like {@link checkedBlocks}, and that their environment has the modals and destinations that they name. */
const checkWithReferences = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  tenant: Tenant,
  draft: Draft,
): Promise<{ content: VersionContent; problems: Problem[] }> => {
  const [{ content, problems }, unknown] = await Promise.all([
    check(dependencies.rpc, context, draft),
    referenceProblems(dependencies, context, tenant, draft.blocks),
  ]);
  return { content, problems: [...problems, ...unknown] };
};

/**
 * Puts the blocks of partials into the blocks of a new version and checks them like {@link checkedBlocks}, and that their
 * environment has the modals and destinations that they name.
 * @param self the key of the partial that the version is of
 * @throws CodedError `compilation_failed` with every problem, `service_unavailable` where destinations cannot be asked for
 */
export const checkedVersion = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  tenant: Tenant,
  draft: Draft,
  self?: string,
): Promise<VersionContent> => {
  const expanded = await expandedBlocks(tenant, dependencies.database, draft.blocks, self);
  const whole = { ...draft, blocks: expanded.blocks };
  const { content, problems } = await checkWithReferences(dependencies, context, tenant, whole);
  const ofData = self === undefined ? [] : inBlocks(problemsOfPartial(expanded.blocks));
  // An entry that could not be replaced is no problem of its own.
  const isLeft = ({ rule }: Problem) => rule === 'partial.place' && expanded.problems.length > 0;
  const others = problems.filter((problem) => !isLeft(problem));
  return contentOrThrow(content, [...expanded.problems, ...ofData, ...others]);
};

/**
 * Refuses to make a version live that would fail when it is sent or used: an older version may hold what the platform
 * refuses, and what it names may be gone since it was saved. Its sample data was judged when it was saved, and the blocks
 * of its partials are its own.
 * @throws CodedError as {@link checkedVersion}
 */
export const needSoundVersion = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  tenant: Tenant,
  { template, version }: { template: TemplateRow; version: Pick<VersionRow, 'blocks'> },
): Promise<void> => {
  const draft = { blocks: version.blocks, template };
  const { content, problems } = await checkWithReferences(dependencies, context, tenant, draft);
  contentOrThrow(content, problems);
};
