import { describe, expect, it } from '@jest/globals';
import { liveVersion } from './live-version.ts';

const facts = {
  name: 'Greeting',
  user_name: null,
  icon_emoji: ':wave:',
  fallback_text: null,
  locale: 'de-DE',
  timezone: null,
  strict: true,
  archived: false,
  current_version_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  current_version_number: 3,
};

describe('the live version of a template', () => {
  it('comes with the appearance of its messages', () => {
    expect(liveVersion(facts)).toEqual({
      found: true,
      template_name: 'Greeting',
      version_id: facts.current_version_id,
      version_number: 3,
      user_name: null,
      icon_emoji: ':wave:',
      fallback_text: null,
      locale: 'de-DE',
      timezone: null,
      strict: true,
    });
  });

  it('is not found for an unknown template, one without a live version, or an archived one', () => {
    const dormant = { ...facts, current_version_id: null, current_version_number: null };
    expect(liveVersion({ name: null })).toEqual({ found: false, code: 'template_not_found' });
    expect(liveVersion(dormant)).toEqual({ found: false, code: 'version_not_found' });
    expect(liveVersion({ ...dormant, archived: true })).toEqual({ found: false, code: 'invalid_state' });
    expect(liveVersion({ ...facts, archived: true })).toEqual({ found: false, code: 'invalid_state' });
  });
});
