import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newDestination } from '../testing/deliveries.ts';
import {
  deliver,
  idOf,
  interactionsOf,
  openModals,
  pressed,
  runDue,
  sendInteractive,
  shows,
  submitted,
} from '../testing/interactions.ts';
import { connected, openWorld } from '../testing/world.ts';

const openModal = { type: 'open_modal', modal_id: idOf('modal') };
const update = { type: 'update_message', strategy: 'append', blocks: [shows('Approved')] };
const refused = { status: 'failed', error: 'access_denied' };

describe('a click in a message of a suspended organization', () => {
  const world = sharedByTests(openWorld);
  beforeEach(() => {
    world().others.answers.organization = { status: 'active' };
  });

  const suspend = (): void => {
    world().others.answers.organization = { status: 'suspended' };
  };
  /** What has become of the newest interaction. */
  const ends = async (principal: Parameters<typeof interactionsOf>[1]) => {
    const [newest] = await interactionsOf(world(), principal);
    return newest?.actions;
  };

  it('changes nothing, calls nobody, and is on record as refused', async () => {
    const principal = await connected(world());
    const { id } = await newDestination(world(), principal, {});
    const actions = [update, { type: 'call_destination', destination_id: id }];
    const message = await sendInteractive(world(), { go: { actions } }, principal);
    suspend();
    await deliver(world(), await pressed(world(), message, 'go'));
    await runDue(world());
    expect(await ends(principal)).toMatchObject([refused, refused]);
    expect((await world().postsIn(message.channel))[0]?.edits ?? 0).toBe(0);
  });

  it('opens no modal, and what was opened before is taken nowhere', async () => {
    const principal = await connected(world());
    const { id } = await newDestination(world(), principal, {});
    const actions = [openModal, { type: 'call_destination', destination_id: id }];
    const message = await sendInteractive(world(), { go: { actions } }, principal);
    await deliver(world(), await pressed(world(), message, 'go'));
    const [view] = await openModals(world(), message);
    if (!view) throw new Error('no modal is open');
    suspend();
    await deliver(world(), await pressed(world(), message, 'go'));
    expect(await ends(principal)).toMatchObject([refused]);
    expect(await openModals(world(), message)).toHaveLength(1);
    await deliver(world(), await submitted(world(), view, { secret: 'plate 4711' }));
    await runDue(world());
    expect(await ends(principal)).toMatchObject([refused]);
  });
});
