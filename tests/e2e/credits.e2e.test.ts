import { describe, expect, it } from '@jest/globals';
import { getCredits } from '@stanza/contracts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

describe('credits', () => {
  const world = sharedByTests(openWorld);

  it('let exactly 50 of 200 concurrent compiles through on a balance of 50', async () => {
    const organization = await world().newOrganization({ credits: 50, connected: false });
    const api = world().api.with((await organization.key()).key);
    const { id } = await liveTemplate(api);
    const compile = () =>
      api.post('/v1/templates/compile', { template_id: id, data: { service: 'a', version: 'b' } });
    const answers = await Promise.all(Array.from({ length: 200 }, compile));
    const succeeded = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 402);
    expect([succeeded.length, refused.length]).toEqual([50, 150]);
    for (const answer of refused) expect(answer.body).toMatchObject({ code: 'insufficient_credits' });
    const ledger = await world().database.query(
      "select count(*)::int as charges, count(distinct operation_id)::int as operations from organization.credit_log where organization_id = $1 and kind = 'charge'",
      [organization.id],
    );
    expect(ledger.rows).toEqual([{ charges: 50, operations: 50 }]);
    const credits = await api.ok(getCredits, { params: { organization_id: organization.id } });
    expect(credits).toMatchObject({ balance: 0, available: 0, reserved: 0 });
  });
});
