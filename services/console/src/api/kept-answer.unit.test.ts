import { describe, expect, it } from '@jest/globals';
import { keptWithin } from './kept-answer.ts';

describe('the answer that stands until the next is there', () => {
  const keep = keptWithin({ organization: 'org-1', environment: 'preview' });

  it('is the one before, of the same organization and environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'preview', 'list-templates', 'a'] })).toBe('rows');
  });

  it('is none of another environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'production', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('is none of another organization', () => {
    expect(keep('rows', { queryKey: ['org-2', 'preview', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('is none where nothing was asked before', () => {
    expect(keep(undefined, undefined)).toBeUndefined();
  });
});
