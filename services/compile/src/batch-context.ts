import { type CallContext, newContext } from '@stanza/runtime';

/**
 * The context of one call made for several: it may take as long as the most patient of them, and shows up under the
 * first one's request and trace. It carries no principal, because the members may be of different ones.
 */
export const batchContext = (members: readonly { context: CallContext }[]): CallContext => {
  const [first] = members;
  const { requestId, traceparent } = first?.context ?? {};
  return {
    ...newContext({ deadlineMs: 0, ...(requestId && { requestId }), ...(traceparent && { traceparent }) }),
    deadline: Math.max(...members.map((it) => it.context.deadline)),
  };
};
