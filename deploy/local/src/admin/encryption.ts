import { type ReplyOf, rotateEncryption } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { Command } from 'commander';
import { printCall } from './operator.ts';

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

/** `npm run admin -- encryption …`: the keys that stored secrets are encrypted with. */
export const encryption = (): Command => {
  const group = new Command('encryption').description('keys that stored secrets are encrypted with');
  group
    .command('rotate')
    .description('encrypt every stored secret with the first of STANZA_ENCRYPTION_KEYS')
    .action(() =>
      printCall(async (rpc) => {
        let total: Rotation | undefined;
        while (!total?.done) {
          total = added(total, await rpc.call(rotateEncryption, {}, newContext({ deadlineMs })));
        }
        return total;
      }),
    );
  return group;
};
