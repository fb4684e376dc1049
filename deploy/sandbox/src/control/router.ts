import express, { type Router } from 'express';
import { z } from 'zod';
import { badInput } from '../bad-input.ts';
import { faultInputFor } from '../faults/fault.ts';
import { callApp } from '../interactions/call-app.ts';
import { methodNames } from '../web-api/methods/index.ts';
import { viewReply } from '../web-api/view-content.ts';
import { appAddress } from '../world/app-address.ts';
import { type Message, messageKey } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { presentMessage } from './present-message.ts';

const messageFilter = z.strictObject({
  /** Only messages of one conversation. */
  channel: z.string().optional(),
  /** Only messages whose metadata has this key. */
  key: z.string().optional(),
  /** Maximum number of messages, newest first. */
  limit: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
});

const revocation = z.strictObject({
  /** Id of the workspace, `TACME`. */
  workspace: z.string().regex(/^T[A-Z0-9-]+$/),
});

/** A callback to send to the app, such as an earlier one. */
const callback = z.looseObject({ type: z.string() });

const faultInput = faultInputFor(methodNames);

type MessageFilter = z.infer<typeof messageFilter>;

function filterMessages(messages: Iterable<Message>, { channel, key, limit }: MessageFilter): Message[] {
  const wanted = (message: Message) =>
    (channel === undefined || message.channel === channel) &&
    (key === undefined || messageKey(message) === key);
  return Array.from(messages).filter(wanted).slice(0, limit);
}

/** The control surface: recorded messages and calls, and faults to inject. For tests and people, without a token. */
export function controlRouter(world: World): Router {
  const router = express.Router();
  router.get('/messages', (request, response) => {
    const filter = messageFilter.safeParse(request.query);
    if (!filter.success) return response.status(400).json(badInput('filter', filter.error));
    return response.json(filterMessages(world.messages.newestFirst(), filter.data).map(presentMessage));
  });
  router.delete('/messages', (_request, response) => {
    world.messages.clear();
    world.calls.clear();
    world.views.clear();
    response.json({ ok: true });
  });
  router.get('/calls', (_request, response) => {
    response.json(world.calls.list());
  });
  router.get('/faults', (_request, response) => {
    response.json(world.faults.list());
  });
  router.post('/faults', express.json({ type: () => true }), (request, response) => {
    const input = faultInput.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('fault', input.error));
    return response.status(201).json(world.faults.add(input.data));
  });
  router.post('/revocations', express.json({ type: () => true }), (request, response) => {
    const input = revocation.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('revocation', input.error));
    world.installations.revoke(input.data.workspace);
    return response.status(201).json({ ok: true });
  });
  router.delete('/faults', (_request, response) => {
    world.faults.clear();
    response.json({ ok: true });
  });
  router.get('/views', (_request, response) => {
    response.json(world.views.list().map(viewReply));
  });
  router.get('/callbacks', (_request, response) => {
    response.json(world.callbacks.list());
  });
  router.put('/app', express.json({ type: () => true }), (request, response) => {
    const input = appAddress.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('app', input.error));
    world.listener = input.data;
    return response.json({ ok: true });
  });
  router.post('/callbacks', express.json({ type: () => true }), async (request, response) => {
    const input = callback.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('callback', input.error));
    return response.json(await callApp(world, input.data));
  });
  return router;
}
