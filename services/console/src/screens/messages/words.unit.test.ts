import { describe, expect, it } from '@jest/globals';
import { reasonOf } from '../../ui/reasons.ts';
import { callOf, canChange, requesterOf, unknownCaller, wasClicked } from './words.ts';

describe('the words of a message in the log', () => {
  it.each([
    ['"users_not_found"', 'nobody in the workspace has this address'],
    ['ok', 'done'],
    ['a_new_word', 'a new word'],
  ])('say what %s means', (word, sentence) => {
    expect(reasonOf(word)).toBe(sentence);
  });

  it('say what a call was for, and name one that is not known', () => {
    expect([callOf('chat.update'), callOf('chat.new')]).toEqual(['Replace the message', 'chat.new']);
  });

  it.each([
    ['schedule:1', { kind: 'schedule', id: '1' }],
    ['queue:1', { kind: 'queue', id: '1' }],
    ['interaction:1', { kind: 'interaction', id: '1' }],
    ['auth0|olivia', { kind: 'caller', id: 'auth0|olivia' }],
  ])('name who asked for it: %s', (actor, requester) => {
    expect(requesterOf(actor)).toEqual(requester);
  });

  it('Messages tell a caller without a name by the end of its id', () => {
    expect(unknownCaller('01a23257-7644-77d4-a3ba-106a2979ee36')).toBe('a key or a former member (2979ee36)');
  });
});

describe('a message of the log', () => {
  const sent = { status: 'sent', version_id: 'a version' } as const;

  it.each([
    [sent, { update: true, delete: true }],
    [
      { ...sent, version_id: null },
      { update: false, delete: true },
    ],
    [
      { ...sent, visible_to: 'U0ADA' },
      { update: false, delete: false },
    ],
    [{ ...sent, status: 'unknown' } as const, { update: false, delete: false }],
  ])('can be changed where it is in its channel for all: %j', (message, possible) => {
    expect(canChange(message)).toEqual(possible);
  });

  it('shows a click when that was the last change that arrived', () => {
    const post = { kind: 'post', status: 'sent' } as const;
    const click = { kind: 'interaction', status: 'sent' } as const;
    const failed = { kind: 'update', status: 'failed' } as const;
    expect([wasClicked([post, click, failed]), wasClicked([post, click, post])]).toEqual([true, false]);
  });
});
