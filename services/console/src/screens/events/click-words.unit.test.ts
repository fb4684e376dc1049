import { describe, expect, it } from '@jest/globals';
import type { Interaction } from '@stanza/contracts';
import { answersOf, deedOf, hasAnswers, questionsOf } from './click-words.ts';

const generated = 'act_01a22438-fba6-7536-b542-b8338aef2f2b';

const click: Interaction = {
  id: '1',
  kind: 'block_actions',
  status: 'done',
  user_id: 'U0ADA',
  message_id: '2',
  template_id: '3',
  channel: 'C0DEPLOYS',
  message_ts: '1.2',
  action_id: generated,
  action_type: 'button',
  form: {},
  actions: [],
  request_id: '4',
  created_at: '2026-11-28T22:27:54.228Z',
};

const submitted: Interaction = { ...click, kind: 'view_submission', form: { [generated]: 'All good' } };

describe('a click in words', () => {
  it('never shows an id that the service has filled in', () => {
    expect(deedOf(click)).toBe('pressed a button');
    expect(deedOf({ ...click, action_type: 'multi_users_select' })).toBe('chose from a list');
    expect(deedOf(submitted)).toBe('submitted a form');
  });

  it('names an element as its author does', () => {
    expect(deedOf({ ...click, action_id: 'ask_for_refund' })).toBe('pressed a button: Ask for refund');
  });

  it('shows what was entered, by the names of the fields where these have names', () => {
    const unknown = new Map<string, string>();
    const late = { ...submitted, form: { reason: 'Late', notes: '' } };
    expect(answersOf(submitted, unknown)).toBe('All good');
    expect(answersOf(late, unknown)).toEqual({ Reason: 'Late' });
    expect(answersOf({ ...submitted, form: { [generated]: ['a', 'b'] } }, unknown)).toEqual([['a', 'b']]);
    expect(answersOf({ ...click, value: '2026-11-30' }, unknown)).toBe('2026-11-30');
    expect([submitted, late, click, { ...submitted, form: {} }].map(hasAnswers)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('shows each answer below its question', () => {
    const questions = questionsOf([
      { type: 'section', text: { type: 'mrkdwn', text: 'Tell us' } },
      {
        type: 'input',
        label: { type: 'plain_text', text: 'Was it on-time?' },
        element: { action_id: generated },
      },
    ]);
    expect(answersOf(submitted, questions)).toEqual({ 'Was it on-time?': 'All good' });
    // Questions of the same words hide no answer.
    const twice = new Map([
      ['first', 'Why?'],
      ['second', 'Why?'],
    ]);
    const both = { ...submitted, form: { first: 'Late', second: 'Broken' } };
    expect(answersOf(both, twice)).toEqual(['Late', 'Broken']);
  });
});
