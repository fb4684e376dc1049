import { describe, expect, it } from '@jest/globals';
import { needsActivation } from './activation.ts';

const live = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const other = '01938c2e-7b1a-7c3d-9e4f-000000000000';
const template = { archived_at: null, current_version_id: live };
const never = { archived_at: null, current_version_id: null };

describe('an activation', () => {
  it('is needed for a version that is not live', () => {
    expect(needsActivation(template, other, undefined)).toBe(true);
    expect(needsActivation(never, live, undefined)).toBe(true);
  });

  it('is not needed for the live version', () => {
    expect(needsActivation(template, live, undefined)).toBe(false);
    expect(needsActivation(template, live, live)).toBe(false);
  });

  it('is allowed when the live version is the expected one, in either case of letters', () => {
    expect(needsActivation(template, other, live.toUpperCase())).toBe(true);
    expect(needsActivation(never, live, null)).toBe(true);
  });

  it.each([
    ['another version than the live one', template, other, other],
    ['none while a version is live', template, other, null],
    ['a version while none is live', never, live, live],
    ['another than the live one, though the live one is to be activated', template, live, other],
  ])('is refused when the caller expects %s', (_, from, version, expected) => {
    expect(() => needsActivation(from, version, expected)).toThrow(
      expect.objectContaining({ code: 'current_version_changed' }),
    );
  });

  it('is refused for an archived template, whatever the expectation', () => {
    const archived = { ...template, archived_at: new Date(0) };
    for (const expected of [undefined, live, other]) {
      expect(() => needsActivation(archived, live, expected)).toThrow(
        expect.objectContaining({ code: 'invalid_state' }),
      );
    }
  });
});
