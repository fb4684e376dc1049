import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { errorTable } from './error-codes.ts';
import { eventDeclarations, eventSubjectOf } from './events.ts';
import { subjectOf } from './operation.ts';
import { deadLetterServices } from './operations/dead-letters.ts';
import { erasingServices } from './operations/jobs.ts';
import { natsPermissions } from './permissions.ts';
import { httpOperations, operations } from './registry.ts';
import { cutScopes, scopesOfRole, scopeTable } from './scopes.ts';
import { serviceNames } from './services.ts';

/** The services of an operation that several have. */
const servicesOf = (id: string): readonly string[] =>
  id.startsWith('erase-') ? erasingServices : deadLetterServices;

describe('the operation registry', () => {
  it('names every operation once, in kebab-case', () => {
    const ids = operations.map((it) => it.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('holds every operation that is declared, those for each service too', () => {
    const written = globSync('*.ts', { cwd: join(import.meta.dirname, 'operations') })
      .map((file) => readFileSync(join(import.meta.dirname, 'operations', file), 'utf8'))
      .flatMap((text) =>
        [...text.matchAll(/^ {2,4}id: ['`]([a-z$-{}]+)['`],$/gm)].map((match) => match[1] ?? ''),
      );
    const declared = written.flatMap((id) =>
      id.includes('$') ? servicesOf(id).map((it) => id.replace(/\$\{\w+\}/, it)) : [id],
    );
    expect(operations.map((it) => it.id).sort()).toEqual(declared.sort());
  });

  it('gives every route to one operation', () => {
    const routes = httpOperations.map((it) => `${it.method} ${it.path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('refuses a span of moments that ends before it begins', () => {
    const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z'];
    // A span of days ends today unless the request says otherwise, so its operation looks at it.
    const spans = httpOperations.filter(
      ({ id, query }) => query && 'from' in query.shape && id !== 'get-usage',
    );
    const refused = (span: object) =>
      spans.filter(({ query }) => !query?.safeParse(span).success).map(({ id }) => id);
    expect(refused({ from, to })).toEqual([]);
    expect(refused({ from: to, to: from })).toEqual(spans.map(({ id }) => id));
  });

  it('declares exactly the path parameters that the path names', () => {
    for (const it of httpOperations) {
      const named = [...it.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect([it.id, Object.keys(it.params?.shape ?? {})]).toEqual([it.id, named]);
    }
  });

  /** Lists, each with what it takes and answers. SCIM has the words of its standard. */
  const lists = httpOperations.flatMap(({ id, method, query, reply, answers }) => {
    if (method !== 'GET' || answers !== undefined || !(reply instanceof z.ZodObject)) return [];
    const answered = Object.keys(reply.shape);
    const isPaged = answered.includes('pagination') || answered.includes('next_cursor');
    return isPaged ? [{ id, answered, taken: Object.keys(query?.shape ?? {}) }] : [];
  });
  /** What is exported, or moves while it is read, is continued by its cursor alone. */
  const byCursorAlone = ['export-audit-log', 'list-events'];

  it.each(lists)('pages a list as every other: $id', ({ id, taken, answered }) => {
    expect(taken).toEqual(
      expect.arrayContaining(byCursorAlone.includes(id) ? ['limit'] : ['limit', 'offset']),
    );
    expect(taken.includes('cursor')).toBe(answered.includes('next_cursor'));
    // The old names go with the next release.
    expect(taken.includes('limit')).toBe(true);
    expect(taken.includes('cursor') || !taken.includes('before')).toBe(true);
    expect(answered.includes('next_cursor') || !answered.includes('next_before')).toBe(true);
  });

  it.each([
    'list-audit-log',
    'list-batches',
    'list-credit-log',
    'list-deliveries',
    'list-interactions',
    'list-messages',
  ])('continues a list of what goes on by a cursor, from one place alone: %s', (id) => {
    const query = httpOperations.find((it) => it.id === id)?.query;
    const row = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
    const cursor = id === 'list-messages' ? row : `1795000000000-${row}`;
    expect(query?.safeParse({ cursor }).error?.issues).toBeUndefined();
    expect(query?.safeParse({ cursor: 'yesterday' }).error?.issues).toMatchObject([{ path: ['cursor'] }]);
    expect(query?.safeParse({ cursor, offset: '1' }).error?.issues).toMatchObject([{ path: ['offset'] }]);
  });

  it('refuses keys that nobody declared, in every query and body', () => {
    // RFC 7644, 3.3: what a provider sends and the service does not know is ignored.
    for (const { id, query, body, answers } of httpOperations) {
      for (const schema of [query, answers === 'scim' ? undefined : body].filter((it) => it !== undefined)) {
        const { additionalProperties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
        expect([id, additionalProperties]).toEqual([id, false]);
      }
    }
  });

  it('asks for no body where all of its keys may be left out, but for changes', () => {
    const optional = httpOperations.filter(
      (it) => it.method !== 'PATCH' && it.answers !== 'scim' && it.body?.safeParse({}).success,
    );
    expect(optional).not.toEqual([]);
    expect(optional.filter((it) => !it.body?.safeParse(undefined).success)).toEqual([]);
  });

  it('answers every DELETE with success and the id of what is gone', () => {
    const deletions = httpOperations.filter((it) => it.method === 'DELETE' && it.answers !== 'scim');
    expect(deletions.length).toBeGreaterThan(10);
    const answer = {
      success: true,
      id: '01938c2e-7b1a-7c3d-9e4f-000000000001',
      revoked: true,
      changed: true,
    };
    for (const { id, reply } of deletions) {
      const takes = (other: object) => reply.safeParse({ ...answer, ...other }).success;
      const taken = [
        takes({}),
        takes({ id: undefined }),
        takes({ success: undefined }),
        takes({ success: false }),
      ];
      expect([id, ...taken]).toEqual([id, true, false, false, false]);
    }
  });

  it('names only error codes of the registry', () => {
    for (const code of operations.flatMap((it) => it.errors)) expect(errorTable).toHaveProperty(code);
  });

  it.each([
    'activate-modal-version',
    'append-modal-version',
    'append-partial-version',
    'append-template-version',
    'compile-template',
    'create-modal',
    'create-partial',
    'create-scheduled-message',
    'create-template',
    'promote-templates',
    'propose-template-version',
    'push-events',
    'run-scheduled-message-now',
    'send-bulk',
    'send-template',
    'test-send-blocks',
    'test-send-version',
    'update-message',
  ])('goes on taking the idempotency key that callers of a release give: %s', (id) => {
    expect(httpOperations.find((it) => it.id === id)?.idempotent).toBe(true);
  });
});

describe('what a preview key must not reach', () => {
  it('is the organization itself: its people, their roles, its end', () => {
    const ofOrganization = httpOperations.filter((it) => /^(organizations|users):(?!read$)/.test(it.access));
    expect(ofOrganization.length).toBeGreaterThan(10);
    const reached = ofOrganization.filter((it) => !it.organizationWide).map((it) => it.id);
    expect(reached.map((id) => `${id}: declare \`organizationWide: true\`, as its scope says`)).toEqual([]);
  });

  it.each(['export-audit-log', 'list-invitations'])(
    'is what shows the changes of both environments: %s',
    (id) => {
      expect(httpOperations.find((it) => it.id === id)?.organizationWide).toBe(true);
    },
  );
});

describe('scopes', () => {
  it('grow with the role', () => {
    expect(scopesOfRole('viewer')).not.toContain('messages:create');
    expect(scopesOfRole('member')).toEqual(expect.arrayContaining(['messages:create', 'templates:activate']));
    expect(scopesOfRole('member')).not.toContain('queues:write');
    expect(scopesOfRole('owner')).toEqual(Object.keys(scopeTable));
  });

  it('of a key are cut to what the role allows now, and unknown ones count for nothing', () => {
    expect(cutScopes(['templates:read', 'queues:write', 'templates:write'], 'member')).toEqual([
      'templates:read',
    ]);
  });
});

describe('NATS permissions', () => {
  it('let a caller publish exactly the operations that name it as a caller', () => {
    for (const caller of [...serviceNames, 'admin'] as const) {
      const mayCall = operations.filter((it) => it.callers.includes(caller)).map(subjectOf);
      const published = natsPermissions(caller).publish.filter((subject) => subject.startsWith('rpc.'));
      expect(published).toEqual(mayCall);
    }
  });

  it('let nobody but a service itself listen to its subjects and its inbox', () => {
    for (const service of serviceNames) {
      for (const subject of natsPermissions(service).subscribe) {
        if (!/^(rpc|_INBOX|done|hints)\./.test(subject)) continue;
        expect(subject.split('.')[1]).toBe(service);
      }
    }
  });

  it('hold no subject with a wildcard, and none of the server, where a caller could reach another service', () => {
    for (const caller of [...serviceNames, 'admin'] as const) {
      expect(natsPermissions(caller).publish.filter((it) => it.startsWith('$'))).toEqual([]);
      const wide = natsPermissions(caller).publish.filter((it) => /[>*]/.test(it));
      expect(wide).toEqual([]);
    }
  });

  it('let producers publish their events, and no other service', () => {
    for (const declared of eventDeclarations) {
      for (const service of serviceNames) {
        const isProducer = declared.producers.includes(service);
        expect(natsPermissions(service).publish.includes(eventSubjectOf(declared))).toBe(isProducer);
      }
    }
  });
});
