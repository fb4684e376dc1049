import { pushPackedEvents as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { answeringPushes, type PushDependencies } from '../answer-pushes.ts';

/** Appends events as `push-events` does, in the form in which they are stored. */
export const pushPackedEvents = (dependencies: PushDependencies) => {
  const answer = answeringPushes(dependencies);
  return handle(operation, (call) => {
    const { queue_id, bytes, keys, packed } = call.input;
    return answer(call, queue_id, { bytes, ...(keys && { keys }), packed: Buffer.from(packed, 'base64') });
  });
};
