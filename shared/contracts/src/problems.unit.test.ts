import { describe, expect, it } from '@jest/globals';
import { problemsError } from './problems.ts';

const missing = { pointer: '/blocks/0/text', rule: 'required', message: 'add a text' };
const tooMany = {
  pointer: '/blocks',
  rule: 'too_many',
  message: 'at most 50 blocks, not 60',
  limit: 'message.blocks',
  max: 50,
  actual: 60,
};

describe('an error that lists problems', () => {
  it('has one line a problem in its details, and the same list as JSON text', () => {
    const error = problemsError('compilation_failed', [missing, tooMany]);
    expect(error.status).toBe(400);
    expect(error.facts.details).toBe(
      '/blocks/0/text: required: add a text\n/blocks: too_many: at most 50 blocks, not 60',
    );
    expect(JSON.parse(error.facts.error_details ?? '')).toEqual([missing, tooMany]);
  });

  it('says how many there are', () => {
    expect(problemsError('compilation_failed', [missing]).message).toBe(
      'The blocks do not compile: 1 problem.',
    );
    expect(problemsError('compilation_failed', [missing, tooMany]).message).toBe(
      'The blocks do not compile: 2 problems.',
    );
  });
});
