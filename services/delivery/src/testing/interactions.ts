import { createHash } from 'node:crypto';
import type {
  Interaction,
  listInteractions as listDeclaration,
  Principal,
  receiveInteraction as receiveDeclaration,
} from '@stanza/contracts';
import { signatureOf } from '../chat/chat-signature.ts';
import type { Dependencies } from '../dependencies.ts';
import { interactivity } from '../interactions/dependencies.ts';
import { createActionRunner } from '../interactions/jobs/interaction-actions.ts';
import { listInteractions } from '../operations/list-interactions.ts';
import { receiveInteraction } from '../operations/receive-interaction.ts';
import { ask, connected, newChannel, send, type World } from './world.ts';

/** What the platform and the service share. */
export const signingSecret = 'a-signing-secret';

type Json = Record<string, unknown>;

/** An element of a message, with what it does. */
export interface TestButton {
  actions: Json[];
  values?: Json;
}

/** A message that was sent, with elements that do something. */
export interface InteractiveMessage {
  principal: Principal;
  workspace: string;
  channel: string;
  ts: string;
  id: string;
}

const text = (value: string) => ({ type: 'section', text: { type: 'mrkdwn', text: value } });

/** A block that shows a text. */
export const shows = text;

/** The blocks of the test message: a text, and a button for each of the names. */
export const blocksWith = (names: readonly string[]): Json[] => [
  { ...text('Order A-1'), block_id: 'headline' },
  {
    type: 'actions',
    block_id: 'buttons',
    elements: names.map((action_id) => ({
      type: 'button',
      action_id,
      text: { type: 'plain_text', text: action_id },
    })),
  },
];

/** Sends a message whose buttons do something, the way compile would have it. */
export const sendInteractive = async (
  world: World,
  buttons: Record<string, TestButton>,
  principal?: Principal,
): Promise<InteractiveMessage> => {
  const sender = principal ?? (await connected(world));
  const names = Object.keys(buttons);
  const actions = Object.fromEntries(names.map((name) => [name, buttons[name]?.actions]));
  const elements = Object.fromEntries(names.map((name) => [name, { values: buttons[name]?.values ?? {} }]));
  const usual = world.others.answers.rendered;
  world.others.answers.rendered = {
    ...usual,
    blocks: blocksWith(names).map((block) => ({ ...block, type: String(block.type) })),
    metadata: {
      event_type: 'stanza_message',
      event_payload: {
        v: 1,
        actions: JSON.stringify(actions),
        context: JSON.stringify({ values: { 'order.id': 'A-1' }, elements }),
      },
    },
  };
  const channel = newChannel();
  const sent = await send(world, sender, { channel_id: channel });
  world.others.answers.rendered = usual;
  const workspace = `T${sender.organization_id.toUpperCase()}`;
  return { principal: sender, workspace, channel, ts: sent.message_ts, id: sent.message_id };
};

const control = async <T>(world: World, path: string, init?: RequestInit): Promise<T> => {
  const response = await fetch(`${world.sandbox.url}${path}`, init);
  const body: T = JSON.parse(await response.text());
  return body;
};

const post = (world: World, path: string, body: Json) =>
  control(world, path, { method: 'POST', body: JSON.stringify(body) });

/** Has the platform make the payload of something that a person does, with a trigger that is good. */
const newestCallback = async (world: World): Promise<Json> => {
  const [newest] = await control<{ payload: Json }[]>(world, '/control/callbacks');
  if (!newest) throw new Error('the platform told nothing');
  return newest.payload;
};

/** What the platform tells when someone presses a button. */
export const pressed = async (
  world: World,
  { workspace, channel, ts }: InteractiveMessage,
  name: string,
  user = 'U0ADA',
): Promise<Json> => {
  const action = { type: 'button', action_id: name, block_id: 'buttons', value: 'yes' };
  await post(world, '/interactions/action', { workspace, channel, ts, user, action });
  return newestCallback(world);
};

/** A modal that is open on the platform. */
export interface OpenModal {
  id: string;
  private_metadata: string;
  title: { text: string };
  blocks: Json[];
}

/** The modals that are open in a workspace. */
export const openModals = async (world: World, { workspace }: InteractiveMessage): Promise<OpenModal[]> => {
  const all = await control<(OpenModal & { team_id: string })[]>(world, '/control/views');
  return all.filter((view) => view.team_id === workspace);
};

/** What the platform tells when someone submits a modal. */
export const submitted = async (
  world: World,
  view: OpenModal,
  form: Record<string, string>,
): Promise<Json> => {
  const fields = Object.entries(form).map(([id, value]) => [id, { type: 'plain_text_input', value }]);
  const state = { inputs: Object.fromEntries(fields) };
  await post(world, '/interactions/submit', { view_id: view.id, state });
  return newestCallback(world);
};

/** The body of a payload as the platform signs and sends it. */
export const signed = (payload: Json, at: Date, secret = signingSecret) => {
  const bytes = Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    body: { bytes: bytes.toString('base64'), timestamp, signature: signatureOf(secret, timestamp, bytes) },
  };
};

const handlers = new WeakMap<Dependencies, ReturnType<typeof receiveInteraction>>();

const handlerOf = (dependencies: Dependencies) => {
  const known = handlers.get(dependencies);
  if (known) return known;
  const made = receiveInteraction({ ...interactivity(dependencies), signingSecret });
  handlers.set(dependencies, made);
  return made;
};

/** Delivers a payload to the service. */
export const deliver = (dependencies: Dependencies, payload: Json) =>
  ask<typeof receiveDeclaration>(handlerOf(dependencies), signed(payload, dependencies.clock.now()));

/** Runs what is due, in this process. */
export const runDue = async (dependencies: Dependencies): Promise<void> => {
  const runner = createActionRunner(interactivity(dependencies));
  await runner.begin();
  await runner.settled();
};

/** A page of the interactions of an organization. */
export const pageOfInteractions = (dependencies: Dependencies, principal: Principal, query: object) =>
  ask<typeof listDeclaration>(
    listInteractions(dependencies),
    { query: { limit: 100, offset: 0, ...query } },
    principal,
  );

/** The interactions of an organization, newest first. */
export const interactionsOf = async (
  dependencies: Dependencies,
  principal: Principal,
): Promise<Interaction[]> => (await pageOfInteractions(dependencies, principal, {})).data;

/** A uuid that a name stands for. */
export const idOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
