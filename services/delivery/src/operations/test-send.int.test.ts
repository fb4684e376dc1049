import { describe, expect, it } from '@jest/globals';
import {
  CodedError,
  type Principal,
  renderTest,
  reserveTogether,
  type TestTarget,
  type TestTargetList,
  testSendVersion as versionDeclaration,
} from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { withdrawOperations } from '../messages/store/reservations.ts';
import {
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  settlementsOf,
  somebody,
} from '../testing/world.ts';
import { getMessage } from './get-message.ts';
import { getTestTargets } from './get-test-targets.ts';
import { listMessages } from './list-messages.ts';
import { replaceTestTargets } from './replace-test-targets.ts';
import { reportOperation } from './report-operation.ts';
import { testSendBlocks } from './test-send-blocks.ts';
import { testSendVersion } from './test-send-version.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'A draft' } }];

describe('a test send', () => {
  const world = sharedByTests(openWorld);

  const list = (principal: Principal, targets: TestTarget[]) =>
    ask(replaceTestTargets(world()), { body: { targets } }, principal);
  const sendVersion = (
    principal: Principal,
    body: object,
    context = newContext({ deadlineMs: 15_000, principal }),
    params = { id: uuidv7(), version_id: uuidv7() },
  ) => ask(testSendVersion(world()), { params, body }, principal, context);
  const sendBlocks = (principal: Principal, body: object) =>
    ask(testSendBlocks(world()), { body: { blocks, data: {}, ...body } }, principal);

  it('posts the version that is named, for one credit, and shows it as a test in the log', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    await list(principal, [{ channel_id }]);
    const params = { id: uuidv7(), version_id: uuidv7() };
    const context = newContext({ deadlineMs: 15_000, principal });
    const reply = await sendVersion(principal, { channel_id, locale: 'de-DE' }, context, params);
    const [row] = await rowsOf(world(), principal);
    expect(reply).toMatchObject({
      message_id: row?.id,
      channel: channel_id,
      version_id: params.version_id,
      version_number: 3,
      credit_log_id: row?.credit_log_id,
    });
    expect(row).toMatchObject({ test: true, origin: 'send', status: 'sent', charged: true });
    expect(await world().posts(row?.id ?? '')).toHaveLength(1);
    expect((await settlementsOf(world(), principal)).flatMap((it) => it.items)).toMatchObject([
      { charged: true, message_id: row?.id },
    ]);
    const { content, wish } = world().others.askedFor(context.operationId);
    expect(content?.operation).toBe(renderTest.id);
    expect(wish).toMatchObject({ amount: 1 });
    expect(content?.input).toMatchObject({
      template_id: params.id,
      version_id: params.version_id,
      locale: 'de-DE',
    });
    expect(content?.input).toMatchObject({ data: undefined });
    const query = { limit: 20, offset: 0, test: 'true' };
    const log = await ask(listMessages(world()), { query }, principal);
    expect(log.data).toMatchObject([{ id: row?.id, template_id: params.id, test: true }]);
  });

  it('posts blocks of a template, or of none, as messages without a version', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    await list(principal, [{ channel_id }]);
    const templateId = uuidv7();
    const named = await sendBlocks(principal, { channel_id, template_id: templateId });
    const unnamed = await sendBlocks(principal, { channel_id });
    expect(unnamed).not.toHaveProperty('version_id');
    const read = (id: string) => ask(getMessage(world()), { params: { id } }, principal);
    const draft = { version_id: null, version_number: null, test: true, status: 'sent' };
    expect(await read(named.message_id)).toMatchObject({ ...draft, template_id: templateId });
    expect(await read(unnamed.message_id)).toMatchObject({ ...draft, template_id: null });
    const [post] = await world().posts(unnamed.message_id);
    expect(post?.blocks).toEqual(blocks);
  });

  it('goes to its caller, by the address of their account or by their chat user, and to nobody else', async () => {
    const principal = await connected(world());
    world().others.answers.actor = { ...world().others.answers.actor, user_email: 'Ada@example.com' };
    expect(await sendVersion(principal, { recipient_email: 'ada@example.com' })).toMatchObject({
      channel: 'D0ADA',
    });
    expect(await sendVersion(principal, { recipient_chat_id: 'U0ADA' })).toMatchObject({ channel: 'D0ADA' });
    const before = world().others.count(reserveTogether);
    const channel_id = newChannel();
    for (const other of [
      { recipient_email: 'grace@example.com' },
      { recipient_chat_id: 'U0GRACE' },
      { channel_id },
    ]) {
      expect(await refusalOf(sendVersion(principal, other))).toMatchObject({
        code: 'access_denied',
        status: 403,
        facts: { nothing_done: true, user_scopes: principal.scopes },
      });
    }
    for (const user_email of [null, 'stranger@example.com']) {
      world().others.answers.actor = { ...world().others.answers.actor, user_email };
      expect(await refusalOf(sendVersion(principal, { recipient_chat_id: 'U0ADA' }))).toMatchObject({
        code: 'access_denied',
      });
    }
    expect(world().others.count(reserveTogether)).toBe(before);
    expect(await world().postsIn(channel_id)).toEqual([]);
    expect(await rowsOf(world(), principal)).toHaveLength(2);
  });

  it('needs the scope to read templates', async () => {
    const principal = await connected(world(), { scopes: ['messages:create'] });
    const channel_id = newChannel();
    await list(principal, [{ channel_id }]);
    expect(await refusalOf(sendVersion(principal, { channel_id }))).toMatchObject({
      code: 'insufficient_scope',
      facts: { required_scopes: ['templates:read'], user_scopes: ['messages:create'] },
    });
  });

  it('is posted once for one operation, and answered and reported again from its row', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    await list(principal, [{ channel_id }]);
    const context = { ...newContext({ deadlineMs: 15_000, principal }), keyDigest: 'digest' };
    const first = await sendVersion(principal, { channel_id }, context);
    expect(await sendVersion(principal, { channel_id }, context)).toEqual(first);
    expect(await world().postsIn(channel_id)).toHaveLength(1);
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, operation_id: context.operationId };
    const report = await ask(reportOperation(world()), { ...asked, operation: versionDeclaration.id });
    expect(report).toEqual({ outcome: 'done', reply: first });
  });

  it('is never posted once it was withdrawn, and is unknown when the answer was lost', async () => {
    const principal = await connected(world());
    const [withdrawn, lost] = [newChannel(), newChannel()];
    await list(principal, [{ channel_id: withdrawn }, { channel_id: lost }]);
    const context = newContext({ deadlineMs: 15_000, principal });
    const { organizationId: organization_id, environment } = Tenant.of(principal);
    await withdrawOperations(world().database, [
      { organization_id, environment, operation_id: context.operationId },
    ]);
    expect(await refusalOf(sendVersion(principal, { channel_id: withdrawn }, context))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    expect(await world().postsIn(withdrawn)).toEqual([]);
    await world().misbehave({
      method: 'chat.postMessage',
      channel: lost,
      mode: 'status',
      value: 500,
      times: 1,
    });
    const refused = await refusalOf(sendVersion(principal, { channel_id: lost }));
    expect(refused).toBeInstanceOf(CodedError);
    expect(refused).toMatchObject({ code: 'delivery_outcome_unknown' });
    expect(await rowsOf(world(), principal)).toMatchObject([
      { status: 'unknown', test: true, charged: false },
    ]);
  });
});

describe('the targets of test sends', () => {
  const world = sharedByTests(openWorld);

  const list = (principal: Principal, targets: TestTarget[]) =>
    ask(replaceTestTargets(world()), { body: { targets } }, principal);
  const read = (principal: Principal) => ask(getTestTargets(world()), {}, principal);
  const auditOf = ({ organization_id }: Principal) =>
    world().rows<{ changes: object }>(
      `select payload -> 'changes' as changes
       from outbox
       where payload ->> 'organization_id' = $1 and payload ->> 'action' = 'test_targets.changed'
       order by id`,
      [organization_id],
    );

  it('are none at first, are replaced as a whole, and leave a line in the audit log where they change', async () => {
    const principal = somebody();
    expect(await read(principal)).toEqual({ targets: [], updated_by: null, updated_at: null });
    const given: TestTarget[] = [
      { channel_id: 'C0DEPLOYS', recipient_email: null, description: 'Rehearsals' },
      { recipient_email: 'ada@example.com' },
    ];
    const targets = [{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }, given[1]];
    const listed = await list(principal, given);
    expect(listed).toEqual({
      targets,
      updated_by: principal.actor.user_id,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await list(principal, given)).toEqual(listed);
    expect(await auditOf(principal)).toEqual([{ changes: { targets: { from: [], to: targets } } }]);
    await list(principal, []);
    expect((await read(principal)).targets).toEqual([]);
    expect(await auditOf(principal)).toHaveLength(2);
  });

  it('lose none of two people who each add one to the list that both have read, also to the first one', async () => {
    const principal = somebody();
    const add = async (id: string, { targets, updated_at }: TestTargetList) => {
      const body = { targets: [...targets, { channel_id: id }], expected_updated_at: updated_at };
      return ask(replaceTestTargets(world()), { body }, principal);
    };
    for (const [mine, theirs] of [
      ['C0ONE', 'C0TWO'],
      ['C0THREE', 'C0FOUR'],
    ] as const) {
      const seen = await read(principal);
      const ends = await Promise.allSettled([add(mine, seen), add(theirs, seen)]);
      const refused = ends.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
      expect(refused).toMatchObject([{ code: 'changed_meanwhile' }]);
      await add(ends[0]?.status === 'rejected' ? mine : theirs, await read(principal));
    }
    const { targets } = await read(principal);
    expect(targets.map(({ channel_id }) => channel_id).sort()).toEqual([
      'C0FOUR',
      'C0ONE',
      'C0THREE',
      'C0TWO',
    ]);
  });

  it('belong to one environment', async () => {
    const principal = somebody();
    await list(principal, [{ channel_id: 'C0DEPLOYS' }]);
    expect((await read({ ...principal, environment: 'preview' })).targets).toEqual([]);
    expect((await read(somebody())).targets).toEqual([]);
  });
});
