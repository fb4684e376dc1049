import type { Principal } from '@stanza/contracts';
import { activatePartialVersion } from '../operations/activate-partial-version.ts';
import { createPartial } from '../operations/create-partial.ts';
import { getPartial } from '../operations/get-partial.ts';
import { ask, type World } from './world.ts';

/** An entry that stands for a partial. */
export const use = (partial: string, given: Record<string, unknown>) => ({
  type: 'directive',
  directive: '#use',
  partial,
  with: given,
});

/** A partial that reads `author`. */
const blocks = [{ type: 'context', elements: [{ type: 'mrkdwn', text: 'by {{author}}' }] }];

/** Creates a partial, whose version is live unless it is said otherwise. */
export const newPartial = async (world: World, principal: Principal, body: object, isLive = true) => {
  const made = await ask(createPartial(world), { body: { name: 'Footer', blocks, ...body } }, principal);
  const { id, version } = made;
  if (!isLive) return made;
  const params = { id, version_id: version.id };
  await ask(activatePartialVersion(world), { params, body: {} }, principal);
  return { ...(await ask(getPartial(world), { params: { id } }, principal)), version };
};
