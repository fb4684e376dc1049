import { describe, expect, it } from '@jest/globals';
import { CodedError, measureImpact, type Principal } from '@stanza/contracts';
import { handle, newContext, newId } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  ask,
  checks,
  greeting,
  newTemplate,
  openWorld,
  plainOrganization,
  somebody,
} from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { listTemplateActivations } from './list-template-activations.ts';

describe('activation', () => {
  const world = sharedByTests(openWorld);

  interface Two {
    principal: Principal;
    id: string;
    first: string;
    second: string;
  }

  /** A template with two versions, in its own organization. */
  const twoVersions = async (principal = somebody()): Promise<Two> => {
    const { id, version } = await newTemplate(world(), principal);
    const input = { params: { id }, body: { blocks: greeting } };
    const second = await ask(appendTemplateVersion(world()), input, principal);
    return { principal, id, first: version.id, second: second.id };
  };

  const activate = (two: Two, version_id: string, body: object = {}, context = newContextOf(two.principal)) =>
    ask(
      activateTemplateVersion(world()),
      { params: { id: two.id, version_id }, body },
      two.principal,
      context,
    );
  const newContextOf = (principal: Principal) => newContext({ deadlineMs: 5_000, principal });
  const read = ({ id, principal }: Two) => ask(getTemplate(world()), { params: { id } }, principal);
  const readVersion = ({ id, principal }: Two, version_id: string) =>
    ask(getTemplateVersion(world()), { params: { id, version_id } }, principal);
  const log = ({ id, principal }: Two, query = { limit: 20, offset: 0 }) =>
    ask(listTemplateActivations(world()), { params: { id }, query }, principal);

  describe('activate-template-version', () => {
    it('makes the version live and the previous one inactive', async () => {
      const two = await twoVersions();
      expect(await activate(two, two.first)).toMatchObject({ is_current: true, status: 'active' });
      expect(await activate(two, two.second)).toMatchObject({ is_current: true, status: 'active' });
      expect(await readVersion(two, two.first)).toMatchObject({ is_current: false, status: 'inactive' });
      expect(await read(two)).toMatchObject({
        current_version_id: two.second,
        current_version: { id: two.second, version_number: 2, status: 'active' },
      });
    });

    it('refuses what needs no measuring before it measures what would break', async () => {
      const two = await twoVersions();
      let measured = 0;
      const rpc = inProcessRpc([
        ...checks,
        plainOrganization,
        handle(measureImpact, async () => {
          measured += 1;
          throw new CodedError('service_unavailable', { message: 'Impacts cannot be measured.' });
        }),
      ]);
      const minding = (
        id: string,
        version_id: string,
        body: object = {},
        context = newContextOf(two.principal),
      ) =>
        ask(
          activateTemplateVersion({ ...world(), rpc }),
          { params: { id, version_id }, body: { accept_breaks: false, ...body } },
          two.principal,
          context,
        );
      await expect(minding(newId(), two.first)).rejects.toMatchObject({ code: 'template_not_found' });
      await expect(minding(two.id, newId())).rejects.toMatchObject({ code: 'version_not_found' });
      const expected_current_version_id = two.second;
      await expect(minding(two.id, two.first, { expected_current_version_id })).rejects.toMatchObject({
        code: 'current_version_changed',
      });
      const context = newContextOf(two.principal);
      await activate(two, two.first, {}, context);
      await activate(two, two.second);
      await expect(minding(two.id, two.first, {}, context)).resolves.toMatchObject({ id: two.first });
      await expect(minding(two.id, two.second)).resolves.toMatchObject({ id: two.second, is_current: true });
      expect(measured).toBe(0);
      await expect(minding(two.id, two.first)).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(measured).toBe(1);
    });

    it('takes its time from the clock of the database, like the batches of queues', async () => {
      const two = await twoVersions();
      const now = async () =>
        (await world().rows<{ at: string }>('select clock_timestamp()::text as at'))[0]?.at;
      const before = await now();
      await activate(two, two.first);
      const within = await world().rows<{ is_between: boolean }>(
        `select created_at between $2::timestamptz(3) and clock_timestamp()::timestamptz(3) as is_between
         from activations
         where template_id = $1`,
        [two.id, before],
      );
      expect(within).toEqual([{ is_between: true }]);
    });

    it('logs the change with the previous live version, author, origin and reason', async () => {
      const session = { type: 'session', id: 'session-1', user_id: newId() } as const;
      const two = await twoVersions(somebody({ actor: session }));
      await activate(two, two.first);
      await activate(two, two.second, { note: 'go' });
      expect((await log(two)).data).toEqual([
        {
          id: expect.any(String),
          template_id: two.id,
          version_id: two.second,
          version_number: 2,
          previous_version_id: two.first,
          activated_by: session.user_id,
          source: 'web',
          note: 'go',
          created_at: expect.any(String),
        },
        {
          id: expect.any(String),
          template_id: two.id,
          version_id: two.first,
          version_number: 1,
          activated_by: session.user_id,
          source: 'web',
          created_at: expect.any(String),
        },
      ]);
    });

    it('changes and logs nothing when the version is live already', async () => {
      const two = await twoVersions();
      await activate(two, two.first);
      const before = await read(two);
      expect(await activate(two, two.first)).toMatchObject({ status: 'active' });
      expect(await activate(two, two.first, { expected_current_version_id: two.first })).toMatchObject({
        status: 'active',
      });
      expect(await read(two)).toEqual(before);
      expect((await log(two)).total).toBe(1);
    });

    it('succeeds when the live version is the expected one, and is refused otherwise', async () => {
      const two = await twoVersions();
      await activate(two, two.first, { expected_current_version_id: null });
      for (const expected_current_version_id of [null, two.second, newId()]) {
        const refused = activate(two, two.second, { expected_current_version_id });
        await expect(refused).rejects.toMatchObject({ code: 'current_version_changed' });
      }
      expect(await read(two)).toMatchObject({ current_version_id: two.first });
      await activate(two, two.second, { expected_current_version_id: two.first.toUpperCase() });
      expect(await read(two)).toMatchObject({ current_version_id: two.second });
    });

    it.each(['one version', 'different versions'])(
      'lets one of fifty with the same expectation succeed, when they activate %s',
      async (which) => {
        const two = await twoVersions();
        const versions = which === 'one version' ? [two.second] : [two.second, two.first];
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, async (_, index) => {
            const version = versions[index % versions.length] ?? two.first;
            try {
              return (await activate(two, version, { expected_current_version_id: null })).status;
            } catch (error) {
              return error instanceof CodedError ? error.code : error;
            }
          }),
        );
        expect(outcomes.filter((it) => it === 'active')).toHaveLength(1);
        expect(outcomes.filter((it) => it === 'current_version_changed')).toHaveLength(49);
        expect((await log(two)).total).toBe(1);
      },
    );

    it('lets all of fifty without an expectation succeed, and logs an unbroken chain of changes', async () => {
      const two = await twoVersions();
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => activate(two, index % 2 === 0 ? two.first : two.second)),
      );
      const { data } = await log(two, { limit: 100, offset: 0 });
      const before = data.slice(1).map((it) => it.version_id);
      expect(data.map((it) => it.previous_version_id)).toEqual([...before, undefined]);
      expect((await read(two)).current_version_id).toBe(data[0]?.version_id);
    });

    it('repeated by one operation, activates once, though its expectation no longer holds', async () => {
      const two = await twoVersions();
      const context = newContextOf(two.principal);
      const body = { expected_current_version_id: null };
      const first = await activate(two, two.first, body, context);
      expect(await activate(two, two.first, body, context)).toEqual(first);
      expect((await log(two)).total).toBe(1);
    });

    it('refuses for an archived template', async () => {
      const two = await twoVersions();
      await world().rows('update templates set archived_at = now() where id = $1', [two.id]);
      await expect(activate(two, two.first)).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it('accepts only versions of the template, and templates of the tenant', async () => {
      const two = await twoVersions();
      const own = await twoVersions(two.principal);
      await expect(activate(two, own.first)).rejects.toMatchObject({ code: 'version_not_found' });
      await expect(activate(two, newId())).rejects.toMatchObject({ code: 'version_not_found' });
      const others = [somebody(), { ...two.principal, environment: 'preview' as const }];
      for (const principal of others) {
        const refused = activate({ ...two, principal }, two.first);
        await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
      }
      expect(await read(two)).toMatchObject({ current_version_id: null, current_version: null });
    });
  });

  describe('list-template-activations', () => {
    it('lists page by page, newest first, and repeats the page at top level', async () => {
      const two = await twoVersions();
      for (const version of [two.first, two.second, two.first]) await activate(two, version);
      const page = await log(two, { limit: 2, offset: 1 });
      expect(page).toMatchObject({
        pagination: { limit: 2, offset: 1, total: 3 },
        limit: 2,
        offset: 1,
        total: 3,
      });
      expect(page.data.map((it) => it.version_number)).toEqual([2, 1]);
    });

    it('answers not_found for a template of another tenant', async () => {
      const two = await twoVersions();
      for (const principal of [somebody(), { ...two.principal, environment: 'preview' as const }]) {
        await expect(log({ ...two, principal })).rejects.toMatchObject({ code: 'template_not_found' });
      }
    });
  });
});
