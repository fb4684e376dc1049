import { describe, expect, it } from '@jest/globals';
import { type Command, matching, stepped } from './commands.ts';

const command = (name: string, kind: Command['kind'] = 'Go to'): Command => ({
  id: name,
  name,
  kind,
  run: () => undefined,
});
const namesOf = (commands: readonly Command[]): string[] => commands.map(({ name }) => name);

describe('the command palette', () => {
  const all = ['Templates', 'Audit log', 'Usage', 'New template'].map((name) => command(name));

  it('shows everything in its order while nothing is typed', () => {
    expect(namesOf(matching(all, ' '))).toEqual(namesOf(all));
  });

  it('finds names by each of the words, those that begin with the first one before the others', () => {
    expect(namesOf(matching(all, 'temp'))).toEqual(['Templates', 'New template']);
    expect(namesOf(matching(all, 'LOG audit'))).toEqual(['Audit log']);
    expect(matching(all, 'temp nothing')).toEqual([]);
  });

  it('keeps the templates that the server has found, whatever their name', () => {
    const found = command('Deploy alert', 'Template');
    expect(namesOf(matching([...all, found], 'on-call'))).toEqual(['Deploy alert']);
  });

  it('shows a dozen at most', () => {
    const many = Array.from({ length: 40 }, (_, at) => command(`Template ${at}`));
    expect(matching(many, 'template')).toHaveLength(12);
  });

  it('goes round at both ends', () => {
    expect([stepped(0, -1, 3), stepped(2, 1, 3), stepped(0, 1, 0)]).toEqual([2, 0, 0]);
  });
});
