import { describe, expect, it } from '@jest/globals';
import { auditActions } from '@stanza/contracts/audit-actions';
import {
  actionName,
  actionOptions,
  actorName,
  changeFacts,
  deedOf,
  namesIn,
  placeOf,
  subjectName,
} from './audit-log-words.ts';

const names = new Map([
  ['u1', 'Olivia Owner'],
  ['k1', 'CI'],
  ['t1', 'Deploy alert'],
]);

describe('the words of the audit log', () => {
  it('offer the actions of one kind where one is chosen', () => {
    expect(actionOptions('message').map(([action]) => action)).toEqual([
      'message.requested',
      'message.deletion_requested',
      'message.deleted',
    ]);
    expect(actionOptions(undefined)).toHaveLength(Object.values(auditActions).flat().length);
  });

  it('say what was done as people say it', () => {
    expect(actionName('template.version_added')).toBe('template: version added');
    expect(actionName('api_key.created')).toBe('key: created');
    expect(actionName('template.activated')).toBe('template: made live');
    expect(actionName('queue.flushed')).toBe('queue: sent now');
    expect(deedOf({ action: 'template.version_added', changes: { version_number: 3 } })).toBe(
      'template: version 3 added',
    );
    expect(deedOf({ action: 'template.activated', changes: { version_number: { from: 3, to: 2 } } })).toBe(
      'template: version 2 made live',
    );
    expect(deedOf({ action: 'queue.flushed', changes: {} })).toBe('queue: sent now');
  });
});

describe('an entry of the audit log', () => {
  it.each([
    [{ type: 'session', id: 'olivia@a', user_id: 'u1' } as const, 'Olivia Owner'],
    [{ type: 'session', id: 'olivia@a' } as const, 'a person, olivia@a'],
    [{ type: 'api_key', id: 'k1', user_id: 'u1' } as const, 'the key CI of Olivia Owner'],
    [{ type: 'api_key', id: '0199-abcdefgh' } as const, 'a key (abcdefgh)'],
    [{ type: 'system', id: 'admin', name: 'ada' } as const, 'ada, an operator'],
    [{ type: 'system', id: 'jobs' } as const, 'the service'],
  ])('names who made it: %j', (actor, name) => {
    expect(actorName(actor, names)).toBe(name);
  });

  it.each([
    ['t1', {}, 'Deploy alert'],
    ['t2', { name: 'As it was called' }, 'As it was called'],
    ['t3', { email: 'ada@example.com' }, 'ada@example.com'],
    ['t4', { name: 7 }, undefined],
  ])('names what it is about: %s', (id, changes, name) => {
    expect(subjectName({ subject: { kind: 'template', id }, changes }, names)).toBe(name);
  });

  it('gives a subject the name that other entries of the audit log give it', () => {
    const of = (id: string, changes: Record<string, unknown>) => ({
      subject: { kind: 'template', id },
      changes,
    });
    const page = [of('t1', { name: { from: 'Old', to: 'New' } }), of('t2', { name: 'Gone' }), of('t3', {})];
    expect(namesIn(page)).toEqual([
      ['t1', 'New'],
      ['t2', 'Gone'],
    ]);
  });

  it('says what was before what is', () => {
    const facts = changeFacts({ activation: { to: 'person', from: 'anyone' }, version_number: 2 });
    expect(JSON.stringify(facts)).toBe(
      '{"activation":{"before":"anyone","after":"person"},"version_number":2}',
    );
  });

  it.each([
    ['batch', { queue_id: 't1' }, 'of Deploy alert'],
    ['scheduled_message', { template_id: 't1' }, 'Deploy alert'],
    ['batch', { queue_id: 'gone' }, undefined],
  ])('names a %s by what it belongs to: %j', (kind, changes, name) => {
    expect(subjectName({ subject: { kind, id: 'b1' }, changes }, names)).toBe(name);
  });

  it.each([
    ['batch', 'retried', { queue_id: 'q1' }, { screen: 'queues', item: 'q1' }],
    ['template_proposal', 'accepted', { template_id: 't1' }, { screen: 'templates', item: 't1' }],
  ])('leads from a %s, which is %s, to what it belongs to', (kind, what, changes, place) => {
    expect(placeOf({ subject: { kind, id: 'b1' }, action: `${kind}.${what}`, changes })).toEqual(place);
  });

  it.each([
    ['template', 'template.updated', { screen: 'templates', item: 't1' }],
    ['template', 'template.deleted', undefined],
    ['template_draft', 'template_draft.created', { screen: 'templates', item: 't1' }],
    ['message', 'message.deleted', { screen: 'messages', item: 't1' }],
    ['member', 'member.added', { screen: 'people' }],
    ['entity', 'entity.created', undefined],
  ])('leads to what it is about, unless that is gone: %s of %s', (kind, action, place) => {
    expect(placeOf({ subject: { kind, id: 't1' }, action, changes: {} })).toEqual(place);
  });
});
