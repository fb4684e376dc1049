import type { World } from '../../world/world.ts';
import { textArgument } from '../arguments.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';
import { readView, viewReply } from '../view-content.ts';

/** `views.open`: shows a modal to the person of the trigger. */
export const viewsOpen: Method = {
  name: 'views.open',
  run({ args, caller }: Call, { triggers, views }: World): Success | Refusal {
    const content = readView(args);
    if (!content.ok) return content.refusal;
    const redeemed = triggers.redeem(textArgument(args, 'trigger_id') ?? '', caller.workspace);
    if (!redeemed.ok) return refuse(redeemed.error);
    const view = views.open(caller.workspace, redeemed.source.user, content.view);
    return { ok: true, view: viewReply(view) };
  },
};
