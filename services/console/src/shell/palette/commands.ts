/** Something that the palette does. */
export interface Command {
  /** Unlike every other. */
  readonly id: string;
  /** What it does, or what it leads to. */
  readonly name: string;
  /** What kind of thing it is. */
  readonly kind: 'Go to' | 'Here' | 'Template' | 'Queue' | 'Modal' | 'Destination' | 'Console';
  readonly run: () => void;
}

/** Most entries that are shown. */
const most = 12;

/** How well a name fits the words: at its start, at the start of a word, inside; -1 where not every word fits. */
const rankOf = (name: string, words: readonly string[]): number => {
  const text = name.toLowerCase();
  if (!words.every((word) => text.includes(word))) return -1;
  const [first = ''] = words;
  if (text.startsWith(first)) return 2;
  return text.includes(` ${first}`) ? 1 : 0;
};

/** The commands that fit what is typed, the best first; templates that the server has found fit by its own word. */
export const matching = (commands: readonly Command[], typed: string): Command[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .map((command) => ({
      command,
      rank:
        command.kind === 'Template' ? Math.max(0, rankOf(command.name, words)) : rankOf(command.name, words),
    }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, most)
    .map(({ command }) => command);
};

/** The place in a list of so many after a step; it goes round. */
export const stepped = (at: number, step: number, count: number): number =>
  count === 0 ? 0 : (at + step + count) % count;
