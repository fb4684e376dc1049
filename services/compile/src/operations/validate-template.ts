import { type Block, checkReferences, validateTemplate as operation, type Problem } from '@stanza/contracts';
import {
  type CallContext,
  type Clock,
  handle,
  isUnavailable,
  newId,
  type RpcClient,
  type Tenant,
} from '@stanza/runtime';
import { checkDraft } from '../check-draft.ts';
import { expanded } from '../expanded.ts';
import type { RunTask } from '../runs/runs.ts';

/** The dependencies of validating. */
interface ValidateDependencies {
  rpc: RpcClient;
  clock: Clock;
  run: RunTask;
}

/** What is known of the modals and destinations that blocks name. */
interface References {
  problems: Problem[];
  warnings: string[];
}

const unasked =
  'The modals and destinations that the blocks name could not be looked up now; a version is saved and made live only once they can be.';

/** Blocks without an interaction name nothing, and need no look. */
const mayName = (blocks: readonly Block[]): boolean => JSON.stringify(blocks).includes('"interaction"');

const referencesOf = async (
  { rpc }: Pick<ValidateDependencies, 'rpc'>,
  { organizationId: organization_id, environment }: Tenant,
  context: CallContext,
  blocks: Block[],
): Promise<References> => {
  if (!mayName(blocks)) return { problems: [], warnings: [] };
  try {
    const { problems } = await rpc.call(checkReferences, { organization_id, environment, blocks }, context);
    return { problems, warnings: [] };
  } catch (err) {
    if (!isUnavailable(err)) throw err;
    return { problems: [], warnings: [unasked] };
  }
};

/** Checks blocks like create would, and answers the problems instead of refusing. */
export const validateTemplate = ({ rpc, clock, run }: ValidateDependencies) =>
  handle(operation, async ({ input: { body }, context, tenant }) => {
    const whole = await expanded(rpc, { tenant, context, blocks: body.blocks });
    const draft = {
      blocks: whole.blocks,
      fallbackText: null,
      locale: body.locale,
      sampleData: body.sample_data ?? {},
    };
    const [{ blocks, requestFormat, result }, references] = await Promise.all([
      checkDraft(draft, run, newId, clock.now().getTime()),
      referencesOf({ rpc }, tenant, context, whole.blocks),
    ]);
    // An entry that could not be replaced is no problem of its own.
    const isLeft = ({ rule }: Problem) => rule === 'partial.place' && whole.problems.length > 0;
    const found = result.ok ? [] : result.problems.filter((it) => !isLeft(it));
    const errors = [...whole.problems, ...found, ...references.problems];
    const checked = { valid: errors.length === 0, blocks, request_format: requestFormat };
    if (!result.ok || errors.length > 0) return { ...checked, errors, warnings: references.warnings };
    const { text, metadata, fieldsTruncated, warnings } = result;
    return {
      ...checked,
      output: {
        blocks: result.blocks,
        text,
        metadata,
        chat_truncation: { fields_truncated: fieldsTruncated },
      },
      warnings: [...warnings, ...references.warnings],
    };
  });
