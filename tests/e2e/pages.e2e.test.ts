import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createTemplate,
  getSigningSecret,
  jobSubjectOf,
  recordAudit,
  sendTemplate,
} from '@stanza/contracts';
import { freePorts, testStack } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { runPage } from '../docs/run-page.ts';
import type { Api } from '../kit/api.ts';
import type { MadeKey, TestOrganization } from '../kit/organization.ts';
import { answersIn } from '../kit/readme.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const stackDirectory = dirname(process.env.STANZA_TEST_STACK ?? '');

describe('the pages', () => {
  let world: World;
  let organization: TestOrganization;
  let key: MadeKey;
  let api: Api;
  let values: Record<string, string>;

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ tier: 'enterprise' });
    key = await organization.key();
    api = world.api.with(key.key);
    values = { KEY: key.key, API: world.api.base, ORGANIZATION: organization.id };
  });
  afterAll(() => world.close());

  const run = (page: string, more: Record<string, string> = {}) =>
    runPage(page, { values: { ...values, ...more }, stackDirectory });

  /** A line for the audit log, as a failed job of the delivery service. */
  const deadLetter = async (): Promise<string> => {
    const id = v7();
    const payload = JSON.stringify({
      organization_id: organization.id,
      environment: 'production',
      actor: { type: 'system', id: 'operator' },
      action: 'template.created',
      subject: { kind: 'template', id: v7() },
      changes: {},
      request_id: v7(),
      at: new Date().toISOString(),
    });
    await world.database.query(
      `insert into delivery.dead_letters (id, message_id, subject, payload, reason, deliveries)
       values ($1, $2, $3, $4, 'Error: made by a test', 12)`,
      [id, v7(), jobSubjectOf(recordAudit), payload],
    );
    return id;
  };

  it('lead an integrator from a key to messages, digests and signed payloads', async () => {
    const { output } = await run('docs/integrating.md');
    expect(output).toContain('"total_sent":2');
    expect(output).toContain('idempotency_conflict');
    expect(await world.sandbox.messages('C0ALERTS')).not.toEqual([]);
    expect(output).toContain('whsec_');
  });

  it('replay one dead letter and give up another', async () => {
    const [letter, other] = [await deadLetter(), await deadLetter()];
    const { output } = await run('docs/runbooks/replay-dead-letters.md', { LETTER: letter, OTHER: other });
    expect(output).toContain('"replayed"');
    expect(output).toContain('"discarded"');
  });

  /** A request whose gateway is gone, without an answer for minutes. */
  const blockedRequest = async (operation: string): Promise<string> => {
    const id = v7();
    await world.database.query(
      `insert into gateway.idempotency_records
         (organization_id, environment, operation, key, operation_id, fingerprint, request_id, actor_id, claimed_at)
       values ($1, 'production', $2, $3, $4, '', $5, 'a test', now() - interval '5 minutes')`,
      [organization.id, operation, v7(), id, v7()],
    );
    return id;
  };

  /** A request that has kept a failure, although its outcome may have been another. */
  const failedRequest = async (operation: string): Promise<string> => {
    const id = await blockedRequest(operation);
    await world.database.query(
      `update gateway.idempotency_records
       set completed_at = now(), status = 503, content_type = 'application/json', body = '{}',
         expires_at = now() + interval '1 day'
       where operation_id = $1`,
      [id],
    );
    return id;
  };

  /** One that delivery can report, and one of a service that runs it again. */
  const blocked = async () => ({
    OPERATION: await failedRequest(sendTemplate.id),
    OTHER: await blockedRequest(createTemplate.id),
  });

  it('show unknown outcomes', async () => {
    expect((await run('docs/runbooks/settle-unknown-outcomes.md')).output).toContain('"pagination"');
  });

  it('settle one blocked request and release another, as a runbook', async () => {
    const { OPERATION, OTHER } = await blocked();
    const { output } = await run('docs/runbooks/settle-blocked-requests.md', { OPERATION, OTHER });
    // A gateway may have released it already, so that the list has none.
    expect(output).toContain('"records"');
    expect(output).toContain('"freed"');
    expect(output).toContain('"released"');
  });

  it('retry with a key, and settle requests without an answer', async () => {
    const { id: TEMPLATE } = await liveTemplate(api);
    const { OPERATION, OTHER } = await blocked();
    const { output } = await run('docs/idempotency.md', { TEMPLATE, OPERATION, OTHER });
    expect(output).toContain('"message_id"');
    expect(output).toContain('"freed"');
  });

  it('connect a workspace, make a destination, and take a template from the gallery', async () => {
    const TOKEN = 'xoxb-sandbox-a-page';
    const { output } = await run('docs/connections.md', { TOKEN });
    expect(output).toContain('/oauth/v2/authorize');
    expect(output).toContain('TA-PAGE');
    expect(output).not.toContain(TOKEN);
    expect((await run('docs/destinations.md')).output).toContain('"auth_type":"bearer"');
    expect((await run('docs/events.md')).output).toContain('"next_cursor":null');
    expect((await run('docs/gallery.md')).output).toContain('"version_number":1');
  });

  it('invite somebody, and grant credits', async () => {
    expect((await run('docs/people.md')).output).toContain('"email_sent"');
    expect((await run('docs/credits.md')).output).toContain('"entries"');
    const grants = await api.get(`/v1/credits/${organization.id}/logs?kind=grant`);
    expect(grants.text).toContain('thank you');
  });

  it('act as a person of the demo, by a session', async () => {
    const { identity_url: IDENTITY, identity_secret: SECRET, organizations } = testStack();
    const ORGANIZATION = organizations[0]?.id ?? '';
    const { output } = await run('docs/sessions.md', { IDENTITY, SECRET, ORGANIZATION });
    expect(answersIn(output)).toEqual([
      expect.objectContaining({
        valid: true,
        user: expect.objectContaining({ first_name: 'Olivia', role: 'owner' }),
        token: expect.objectContaining({ type: 'session' }),
      }),
    ]);
  });

  it('look at what a restore has brought back', async () => {
    expect((await run('docs/backup.md')).output).toContain('"organizations"');
  });

  it('retry a batch that failed', async () => {
    const template = await liveTemplate(api);
    const made = await api.post('/v1/queues', {
      name: `Failing ${v7()}`,
      mode: 'fixed_volume',
      threshold: 1,
      template_id: template.id,
      channel_id: `C0NOWHERE${v7().replaceAll('-', '').toUpperCase()}`,
    });
    const { id: queue, channel_id: channel } = Object(made.body);
    await world.sandbox.setFault({
      method: 'chat.postMessage',
      channel,
      mode: 'error',
      value: 'channel_not_found',
      times: 1,
    });
    await api.post(`/v1/queues/${queue}/events`, { events: [{ number: 1 }] });
    const batch = await waitFor('a failed batch', async () => {
      const { body } = await api.get(`/v1/queues/${queue}/batches?status=failed`);
      return Object(body).data?.[0]?.id;
    });
    const { output } = await run('docs/runbooks/retry-failed-batches.md', { QUEUE: queue, BATCH: batch });
    expect(output).toContain('"attempt":2');
  });
});

describe('the programs of the integrator’s page', () => {
  const world = sharedByTests(openWorld);

  const program = (name: string, env: Record<string, string>) => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, '../docs/examples', name)],
      {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
    });
    return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) };
  };

  it('send a message once, however often they are run', async () => {
    const organization = await world().newOrganization();
    const { key } = await organization.key();
    const { id: templateId } = await liveTemplate(world().api.with(key));
    const env = { API: world().api.base, KEY: key, TEMPLATE: templateId };
    const first = program('send-once.ts', env);
    expect([await first.ended, first.output()]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
    const second = program('send-once.ts', env);
    expect([await second.ended, second.output()]).toEqual([0, first.output()]);
    const posted = await world().sandbox.messages('C0DEPLOYS');
    expect(posted.filter((message) => message.key === first.output().trim())).toHaveLength(1);
  });

  it('take what is signed, once, and nothing else', async () => {
    const organization = await world().newOrganization();
    const api = world().api.with((await organization.key()).key);
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/`;
    const { id } = await api.ok(createDestination, { body: { name: 'Receiver', url } });
    const { secret } = await api.ok(getSigningSecret, { params: { id } });
    const receiver = program('receive.ts', { SIGNING_SECRET: secret, PORT: String(port) });
    try {
      const forged = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
      const refused = await waitFor('the receiver', async () => {
        const answer = await fetch(url, { method: 'POST', body: '{}', headers: forged }).catch(
          () => undefined,
        );
        return answer?.status;
      });
      expect(refused).toBe(401);
      const tested = await api.post(`/v1/destinations/${id}/test`, { payload: { number: 4711 } });
      expect([tested.status, tested.body]).toEqual([200, expect.objectContaining({ success: true })]);
      await waitFor('the payload', () => receiver.output().includes('4711'));
    } finally {
      receiver.child.kill();
      await receiver.ended;
    }
  });
});
