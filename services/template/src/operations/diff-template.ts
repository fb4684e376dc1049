import {
  type Block,
  block,
  type InputOf,
  notFound,
  diffTemplate as operation,
  problemsError,
} from '@stanza/contracts';
import { pointerStep } from '@stanza/engine';
import { diffBlocks } from '@stanza/engine/diff';
import { handle, type Tenant, type Transaction } from '@stanza/runtime';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import type { OpenDraft } from '../domain/draft-tables.ts';
import { nothingToCompareWith } from '../domain/errors.ts';
import type { VersionRow } from '../domain/tables.ts';
import { findOpenDraft } from '../store/drafts.ts';
import { requestedVersion } from '../store/requested-version.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

const blockList = z.array(block);

/**
 * The blocks of a draft, which may hold anything.
 * @throws CodedError `compilation_failed` that names what is no block
 */
const blocksOf = ({ content }: OpenDraft): Block[] => {
  const parsed = blockList.safeParse(content.blocks);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path }) => ({
    pointer: `/blocks${path.map((step) => pointerStep(String(step))).join('')}`,
    rule: 'block.shape',
    message: 'A block is an object with a `type`, and an `id` that is a text.',
  }));
  throw problemsError('compilation_failed', problems);
};

/** What is compared, and what the answer says of it. */
interface Compared {
  blocks: Block[];
  version: VersionRow | null;
  draft: OpenDraft | null;
}

const comparedOf = async (
  tenant: Tenant,
  tx: Transaction,
  templateId: string,
  { blocks, version_id }: InputOf<typeof operation>['body'],
): Promise<Compared> => {
  if (blocks) return { blocks, version: null, draft: null };
  if (version_id !== undefined) {
    const version = await findVersion(tenant, tx, templateId, version_id);
    if (!version) throw notFound('version');
    return { blocks: version.blocks, version, draft: null };
  }
  const draft = await findOpenDraft(tenant, tx, templateId);
  if (!draft) throw notFound('draft');
  return { blocks: blocksOf(draft), version: null, draft };
};

/** Compares blocks, the draft or a version with a version of the template. */
export const diffTemplate = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, body }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { blocks, version, draft } = await comparedOf(tenant, tx, template.id, body);
      if (body.against === undefined && template.current_version_id === null) throw nothingToCompareWith();
      const asked = { template_id: template.id, version_id: body.against };
      const { version: before } = await requestedVersion(tenant, tx, asked);
      return {
        template_id: template.id,
        version_id: version?.id ?? null,
        version_number: version?.version_number ?? null,
        draft_revision: draft?.revision ?? null,
        against: { version_id: before.id, version_number: before.version_number },
        ...diffBlocks(before.blocks, blocks),
      };
    }),
  );
