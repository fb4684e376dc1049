import { describe, expect, it } from '@jest/globals';
import { keptWithin } from './kept-answer.ts';

describe('an answer', () => {
  const keep = keptWithin({ organization: 'org-1', environment: 'preview' });

  it('shown while the next one loads is the one before, where that is of the same organization and environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'preview', 'list-templates', 'a'] })).toBe('rows');
  });

  it('shown while the next one loads is never that of another environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'production', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('shown while the next one loads is never that of another organization', () => {
    expect(keep('rows', { queryKey: ['org-2', 'preview', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('shown while the first one loads is none', () => {
    expect(keep(undefined, undefined)).toBeUndefined();
  });
});
