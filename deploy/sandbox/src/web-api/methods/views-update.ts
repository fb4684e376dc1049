import type { World } from '../../world/world.ts';
import { textArgument } from '../arguments.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';
import { readView, viewReply } from '../view-content.ts';

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
