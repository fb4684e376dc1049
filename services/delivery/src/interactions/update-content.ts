import { CodedError } from '@stanza/contracts';
import {
  actionsOfElements,
  type MessageActions,
  mergeActions,
  payloadOfActions,
} from '../messages/message-actions.ts';
import { amongOthers, idsIn } from './added-ids.ts';

type JsonObject = Record<string, unknown>;

/** How the blocks of an update are placed in the message. */
export type UpdateStrategy = 'replace_all' | 'replace_self' | 'append' | 'replace_block';

/** The blocks and actions of a message. */
export interface Content extends MessageActions {
  blocks: JsonObject[];
  text: string;
}

/** A compiled update. */
export interface ContentUpdate {
  strategy: UpdateStrategy;
  /** The block to replace: the named one, or that of the used element. */
  blockId: string | undefined;
  added: Content;
}

/** Limits of blocks and bytes at the platform. */
const maxBlocks = 50;
const maxActionBytes = 3_800;

const replaceBlock = (
  blocks: JsonObject[],
  blockId: string | undefined,
  added: JsonObject[],
): JsonObject[] => {
  const at = blocks.findIndex((block) => blockId !== undefined && block.block_id === blockId);
  if (at === -1) {
    const message = `The message no longer has a block ${JSON.stringify(blockId ?? '')}.`;
    throw new CodedError('invalid_state', { message });
  }
  return blocks.toSpliced(at, 1, ...added);
};

const place = (
  blocks: JsonObject[],
  { strategy, blockId }: ContentUpdate,
  added: JsonObject[],
): JsonObject[] => {
  switch (strategy) {
    case 'replace_all':
      return added;
    case 'append':
      return [...blocks, ...added];
    case 'replace_self':
    case 'replace_block':
      return replaceBlock(blocks, blockId, added);
  }
};

const tooMuch = (what: string): CodedError => new CodedError('compilation_failed', { message: what });

const checkSize = ({ blocks, actions, context }: Content): void => {
  if (blocks.length === 0) throw new CodedError('no_blocks_to_send');
  if (blocks.length > maxBlocks)
    throw tooMuch(
      `With the update the message has ${blocks.length} blocks; at most ${maxBlocks} are allowed.`,
    );
  const { actions: one = '', context: other = '' } = payloadOfActions({ actions, context });
  const bytes = Buffer.byteLength(`${one}${other}`);
  if (bytes > maxActionBytes)
    throw tooMuch(
      `With the update the actions of the message have ${bytes} bytes; at most ${maxActionBytes} are allowed.`,
    );
};

/**
 * Makes the content of a message after an update. Each block gets an id, by which a later update finds it; ids that blocks
 * which stay have already get a number. Actions of removed elements are removed too.
 * @throws CodedError when the block no longer exists or the message would be too large
 */
export const updateContent = (before: Content, update: ContentUpdate, newId: () => string): Content => {
  const isWhole = update.strategy === 'replace_all';
  const added = amongOthers(update.added, place(before.blocks, update, []), before);
  const blocks = place(before.blocks, update, added.blocks).map((block) =>
    typeof block.block_id === 'string' && block.block_id !== '' ? block : { ...block, block_id: newId() },
  );
  const merged = isWhole ? added : mergeActions(before, added);
  const kept = actionsOfElements(merged, idsIn(blocks).actions);
  const after = { blocks, text: isWhole ? added.text : before.text, ...kept };
  checkSize(after);
  return after;
};
