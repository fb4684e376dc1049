import { deleteScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { removeProvisioned } from '../deactivate-member.ts';
import type { AccessDependencies, Dependencies } from '../dependencies.ts';

/** Removes a member for good. */
export const deleteScimUser = ({
  database,
  clock,
  outbox,
  log,
}: AccessDependencies & Pick<Dependencies, 'log'>) =>
  handle(operation, async ({ principal, context, input: { params } }) => {
    const userId = params.id.toLowerCase();
    await database.transaction((tx) =>
      removeProvisioned(tx, { outbox, context, principal, userId, at: clock.now(), log }),
    );
    return null;
  });
