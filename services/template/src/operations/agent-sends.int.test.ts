import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import {
  ask,
  newTemplate,
  openWorld,
  recordedAudit,
  somebody,
  strangersTo,
  type World,
} from '../testing/world.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { listTemplates } from './list-templates.ts';
import { setAgentSends } from './set-agent-sends.ts';

describe('the switch for agents that send a template', () => {
  let world: World;
  let ada: Principal;

  beforeAll(async () => {
    world = await openWorld();
    ada = somebody();
  });
  afterAll(() => world.close());

  const set = (id: string, enabled: boolean, by: Principal = ada) =>
    ask(setAgentSends(world), { params: { id }, body: { enabled } }, by);
  const switchedOn = async (): Promise<string[]> => {
    const query = { limit: 20, offset: 0, sort: '-created_at', agent_sends: 'true' } as const;
    const { data } = await ask(listTemplates(world), { query }, ada);
    return data.map(({ id }) => id);
  };

  it('is off in a new template, and turned on and off once however often', async () => {
    const { id, agent_sends } = await newTemplate(world, ada);
    expect([agent_sends, await switchedOn()]).toEqual([false, []]);
    const on = await set(id, true);
    expect(on).toMatchObject({ agent_sends: true });
    expect(await set(id, true)).toEqual(on);
    expect(await switchedOn()).toEqual([id]);
    expect(await set(id, false)).toMatchObject({ agent_sends: false });
    expect(await switchedOn()).toEqual([]);
    const audited = (await recordedAudit(world, ada)).filter(({ action }) => action === 'template.updated');
    expect(audited.map(({ changes }) => changes)).toEqual([
      { agent_sends: { from: false, to: true } },
      { agent_sends: { from: true, to: false } },
    ]);
  });

  it('is off in a copy', async () => {
    const { id } = await newTemplate(world, ada);
    await set(id, true);
    const copying = { params: { id }, body: { name: 'Copy' } };
    expect(await ask(duplicateTemplate(world), copying, ada)).toMatchObject({ agent_sends: false });
    await set(id, false);
  });

  it('is not reached by others', async () => {
    const { id } = await newTemplate(world, ada);
    for (const stranger of strangersTo(ada)) {
      await expect(set(id, true, stranger)).rejects.toMatchObject({ code: 'template_not_found' });
    }
    expect(await switchedOn()).toEqual([]);
  });
});
