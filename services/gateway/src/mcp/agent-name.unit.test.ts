import { describe, expect, it } from '@jest/globals';
import { agentIn, agentName, sessionFor } from './agent-name.ts';

describe('the name of an agent', () => {
  const introduced = { params: { clientInfo: { name: 'code-editor\n\u202e<1>' } } };

  it('is what it calls itself, in letters that a log line takes', () => {
    expect(agentName(introduced)).toBe('code-editor1');
    for (const unnamed of [undefined, 'text', {}, { params: { clientInfo: { name: 7 } } }])
      expect(agentName(unnamed)).toBeUndefined();
  });

  it('is in its session, and in none that it makes up', () => {
    const session = sessionFor('code-editor');
    expect(session).toMatch(/^[\x21-\x7e]+$/);
    expect(sessionFor('code-editor')).not.toBe(session);
    expect(agentIn(session)).toBe('code-editor');
    for (const other of [undefined, '', 'code-editor', `${session.slice(0, 37)}${'A'.repeat(200)}`])
      expect(agentIn(other)).toBeUndefined();
    const forged = `${session.slice(0, 37)}${Buffer.from('a\nb').toString('base64url')}`;
    expect(agentIn(forged)).toBe('ab');
  });
});
