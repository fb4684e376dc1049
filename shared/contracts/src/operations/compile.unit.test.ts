import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { compileOptions } from './compile.ts';

describe('the options of a compile', () => {
  const options = z.object(compileOptions);
  const issuesOf = (given: object) => {
    const parsed = options.safeParse({ template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', ...given });
    return parsed.error?.issues.map((it) => it.path) ?? [];
  };

  it.each([
    ['locale', 'not a locale'],
    ['locale', 'xx'],
    ['timezone', 'Mars/Olympus'],
  ])('refuse a %s that there is none of, at its own path: %s', (part, value) => {
    expect(issuesOf({ [part]: value })).toEqual([[part]]);
  });

  it.each([
    ['locale', 'de-DE'],
    ['locale', 'zh-Hant-TW'],
    ['timezone', 'Asia/Tokyo'],
    ['timezone', 'UTC'],
  ])('take a %s that is known: %s', (part, value) => {
    expect(issuesOf({ [part]: value })).toEqual([]);
  });
});
