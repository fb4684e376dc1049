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

/** `views.update`: replaces an open view; with `hash`, only if the view has not changed since. */
export const viewsUpdate: Method = {
  name: 'views.update',
  run({ args, caller }: Call, { views }: World): Success | Refusal {
    const content = readView(args);
    if (!content.ok) return content.refusal;
    const open = views.find(textArgument(args, 'view_id') ?? '');
    if (open === undefined || open.workspace !== caller.workspace) return refuse('not_found');
    const hash = textArgument(args, 'hash');
    if (hash !== undefined && hash !== open.hash) return refuse('hash_conflict');
    return { ok: true, view: viewReply(views.update(open, content.view)) };
  },
};
