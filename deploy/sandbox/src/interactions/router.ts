import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { badInput } from '../bad-input.ts';
import { checkView } from '../web-api/view-content.ts';
import type { OpenView } from '../world/view-store.ts';
import type { World } from '../world/world.ts';
import { callApp } from './call-app.ts';
import { messageAction, viewAction, viewSubmission } from './payloads.ts';

const action = z.looseObject({ type: z.string(), action_id: z.string(), block_id: z.string() });
const state = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

const used = z.union([
  z.strictObject({
    workspace: z.string(),
    channel: z.string(),
    ts: z.string(),
    user: z.string().default('U0ADA'),
    action,
    state,
  }),
  z.strictObject({ view_id: z.string(), action, state }),
]);

const submitted = z.strictObject({ view_id: z.string(), state });
const closed = z.strictObject({ view_id: z.string() });

const viewAnswer = z.object({
  response_action: z.enum(['clear', 'errors', 'push', 'update']).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  view: z.unknown().optional(),
});

const notFound = (response: Response) => response.status(404).json({ error: 'not_found' });

/** The page's text for an unexpected answer of the app. */
const failure = 'The app did not answer as expected; see GET /control/callbacks.';

interface Outcome {
  readonly ok: boolean;
  readonly errors?: Record<string, string>;
  readonly message?: string;
}

/** Shows the view of an answer. */
function show(world: World, open: OpenView, kind: 'push' | 'update', view: unknown): Outcome {
  const content = checkView(view);
  if (!content.ok)
    return {
      ok: false,
      message: `The app answered with a view that is refused: ${JSON.stringify(content.refusal)}`,
    };
  if (kind === 'update') world.views.update(open, content.view);
  else if (world.views.push(open, content.view) === undefined)
    return { ok: false, message: 'At most three views can be stacked.' };
  return { ok: true };
}

/** Applies the app's answer to a submitted view. */
async function submit(world: World, open: OpenView, values: z.infer<typeof state>): Promise<Outcome> {
  const trigger = world.triggers.issue({ workspace: open.workspace, user: open.user, viewId: open.id });
  const { status, answer } = await callApp(world, viewSubmission(open, values, trigger));
  if (status !== 200) return { ok: false, message: failure };
  const { response_action: kind, errors, view } = viewAnswer.safeParse(answer).data ?? {};
  if (kind === 'errors') return { ok: false, errors: errors ?? {} };
  if (kind === 'push' || kind === 'update') return show(world, open, kind, view);
  world.views.close(open, kind === 'clear');
  return { ok: true };
}

/** Sends the use of an element to the app; undefined when the element does not exist. */
function use(world: World, input: z.infer<typeof used>) {
  const { action: element, state: values } = input;
  if ('view_id' in input) {
    const open = world.views.find(input.view_id);
    if (open === undefined) return undefined;
    const { workspace, user, id } = open;
    const trigger = world.triggers.issue({ workspace, user, viewId: id });
    return callApp(world, viewAction(open, { user, action: element, state: values, trigger }));
  }
  const { workspace, channel, ts, user } = input;
  const message = world.messages.find(workspace, channel, ts);
  if (message === undefined) return undefined;
  const trigger = world.triggers.issue({ workspace, user, viewId: null });
  return callApp(world, messageAction(message, { user, action: element, state: values, trigger }));
}

/** Actions of people on the page: use elements, submit and close modals. The app gets the platform's callbacks. */
export function interactionsRouter(world: World): Router {
  const router = express.Router();
  router.use(express.json({ type: () => true, limit: '1mb' }));
  router.post('/action', async (request, response) => {
    const input = used.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('action', input.error));
    const told = use(world, input.data);
    if (told === undefined) return notFound(response);
    const { status } = await told;
    return response.json(status === 200 ? { ok: true } : { ok: false, message: failure });
  });
  router.post('/submit', async (request, response) => {
    const input = submitted.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('submission', input.error));
    const open = world.views.find(input.data.view_id);
    if (open === undefined) return notFound(response);
    return response.json(await submit(world, open, input.data.state));
  });
  router.post('/close', (request, response) => {
    const input = closed.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('closing', input.error));
    const open = world.views.find(input.data.view_id);
    if (open === undefined) return notFound(response);
    world.views.close(open);
    return response.json({ ok: true });
  });
  return router;
}
