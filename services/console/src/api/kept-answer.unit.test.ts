import { describe, expect, it } from '@jest/globals';
import { keptWithin } from './kept-answer.ts';

describe('the answer that stands until the next is there', () => {
  const keep = keptWithin({ organization: 'org-1', environment: 'preview' });

  it('is the answer before, where that is of the same organization and environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'preview', 'list-templates', 'a'] })).toBe('rows');
  });

  it('is never an answer of another environment', () => {
    expect(keep('rows', { queryKey: ['org-1', 'production', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('is never an answer of another organization', () => {
    expect(keep('rows', { queryKey: ['org-2', 'preview', 'list-templates', 'a'] })).toBeUndefined();
  });

  it('is empty where nothing was asked before', () => {
    expect(keep(undefined, undefined)).toBeUndefined();
  });
});
