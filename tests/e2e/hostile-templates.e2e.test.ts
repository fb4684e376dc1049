import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../kit/api.ts';
import { hostileBodies, hostileTemplates } from '../kit/hostile-templates.ts';
import { openWorldWith, type World } from '../kit/stack.ts';

describe('a template that asks for endless work', () => {
  let world: World;
  let api: Api;
  let bodies: Map<string, string>;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ connected: false }));
    bodies = await hostileBodies(api);
  });
  afterAll(() => world.close());

  it.each(Object.keys(hostileTemplates))('is refused by a limit of the engine: %s', async (name) => {
    const raw = bodies.get(name) ?? '';
    const answer = await api.post('/v1/templates/compile', undefined, { raw });
    expect(answer).toMatchObject({ status: 400, body: { code: 'compilation_failed' } });
    expect(Object(answer.body).details).toMatch(/engine\.\w+/);
  });
});
