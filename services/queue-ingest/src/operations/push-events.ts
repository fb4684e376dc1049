import { pushEvents as operation } from '@stanza/contracts';
import { handle, packPush } from '@stanza/runtime';
import { answeringPushes, type PushDependencies } from '../answer-pushes.ts';

/**
 * Appends events to the open batch of a queue: all of them, in one batch, committed before the answer. A gateway of the
 * previous version calls it, and so does one that finds no `push-packed-events`.
 */
export const pushEvents = (dependencies: PushDependencies) => {
  const answer = answeringPushes(dependencies);
  return handle(operation, (call) => answer(call, call.input.params.id, packPush(call.input.body.events)));
};
