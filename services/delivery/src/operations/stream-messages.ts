import { logPlaceText, streamMessages as operation, readLogPlace } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentMessage } from '../messages/present-message.ts';
import { changesBetween } from '../messages/store/message-changes.ts';
import { templateOfKey } from '../messages/template-of-key.ts';

/** Reads once what has changed in the log after a place; without one it says where the log stands. */
export const streamMessages = (dependencies: Pick<Dependencies, 'database' | 'rpc' | 'settledLog'>) =>
  handle(operation, async ({ tenant, context, input: { query } }) => {
    const { after, template_key, ...filters } = query;
    const { database, settledLog } = dependencies;
    const until = await settledLog.place();
    const standing = logPlaceText(until);
    // Not at this moment: a transaction that wrote before it may commit after it.
    if (after === undefined) return { events: [], position: standing, has_more: false };
    const keyed =
      template_key === undefined
        ? undefined
        : await templateOfKey(dependencies, { tenant, context }, template_key);
    // A place that was reached is kept; places sort as their texts.
    if (keyed === null) return { events: [], position: after > standing ? after : standing, has_more: false };
    const between = { after: readLogPlace(after), until };
    const changes = await changesBetween(tenant, database, between, { ...filters, keyed_template_id: keyed });
    return {
      events: changes.items.map(({ row, place }) => ({
        id: logPlaceText(place),
        data: presentMessage(row),
      })),
      position: logPlaceText(changes.position),
      has_more: changes.hasMore,
    };
  });
