import { type ReplyOf, rotateEncryption } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { Command } from 'commander';
import { StackFailure } from '../failure.ts';
import { asOperator } from './operator.ts';
import { print } from './print.ts';

/** Timeout of one call, milliseconds. */
const deadlineMs = 15_000;

type Rotation = ReplyOf<typeof rotateEncryption>;

/** Adds the counts of earlier calls; unreadable secrets are counted again by every call. */
const added = (before: Rotation | undefined, now: Rotation): Rotation => ({
  ...now,
  secrets: now.secrets.map((it) => ({
    ...it,
    rotated: it.rotated + (before?.secrets.find(({ kind }) => kind === it.kind)?.rotated ?? 0),
  })),
});

/**
 * A script that removes the old key after this command must not go on while something needs one that is not there.
 * @throws StackFailure where secrets are unreadable
 */
export const refuseUnreadable = (rotation: Rotation): void => {
  const kinds = rotation.secrets.filter(({ unreadable }) => unreadable > 0).map(({ kind }) => kind);
  if (kinds.length === 0) return;
  throw new StackFailure(
    `No key of STANZA_ENCRYPTION_KEYS decrypts some secrets: ${kinds.join(', ')}. They were left as they are.`,
    'Put the key that encrypted them back into the setting, restart delivery, and rotate again before you remove one.',
  );
};

/** `npm run admin -- encryption …`: the keys that stored secrets are encrypted with. */
export const encryption = (): Command => {
  const group = new Command('encryption').description('keys that stored secrets are encrypted with');
  group
    .command('rotate')
    .description('encrypt every stored secret with the first of STANZA_ENCRYPTION_KEYS')
    .action(async () => {
      const rotation = await asOperator(async (rpc) => {
        let total: Rotation | undefined;
        while (!total?.done) {
          total = added(total, await rpc.call(rotateEncryption, {}, newContext({ deadlineMs })));
        }
        return total;
      });
      await print(JSON.stringify(rotation, null, 2));
      refuseUnreadable(rotation);
    });
  return group;
};
