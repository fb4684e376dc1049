import type { World } from '../../world/world.ts';
import { textArgument } from '../arguments.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';
import { readView, viewReply } from '../view-content.ts';

/** `views.push`: stacks a modal on the one of the trigger. */
export const viewsPush: Method = {
  name: 'views.push',
  run({ args, caller }: Call, { triggers, views }: World): Success | Refusal {
    const content = readView(args);
    if (!content.ok) return content.refusal;
    const redeemed = triggers.redeem(textArgument(args, 'trigger_id') ?? '', caller.workspace);
    if (!redeemed.ok) return refuse(redeemed.error);
    const below = views.find(redeemed.source.viewId ?? '');
    if (below === undefined) return refuse('invalid_trigger_id');
    const view = views.push(below, content.view);
    return view === undefined ? refuse('push_limit_reached') : { ok: true, view: viewReply(view) };
  },
};
