import { pushPackedEvents } from '@stanza/contracts';
import { type Forward, packPush, RpcFailure } from '@stanza/runtime';
import { z } from 'zod';

/** The list itself, and not a copy: what has been written of it is known by it. */
const validPush = z.object({
  params: z.object({ id: z.string() }),
  body: z.object({ events: z.custom<readonly Record<string, unknown>[]>(Array.isArray) }),
});

/** No replica has the operation: those of the previous version, or users of NATS that were made for them. */
const isUnknown = (error: unknown): boolean =>
  error instanceof RpcFailure && (error.kind === 'no_responders' || error.kind === 'forbidden');

/**
 * Hands a push over in the form in which it is stored, and as it came where its service knows no other: it happens once by
 * its operation, whichever of the two arrives.
 */
export const packing =
  (forward: Forward): Forward =>
  async (operation, input, context) => {
    const { params, body } = validPush.parse(input);
    const { packed, ...push } = packPush(body.events);
    try {
      const given = { queue_id: params.id, ...push, packed: packed.toString('base64') };
      return await forward(pushPackedEvents, given, context);
    } catch (error) {
      if (isUnknown(error)) return forward(operation, input, context);
      throw error;
    }
  };
