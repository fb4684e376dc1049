/**
 * How many of the sandbox's channels C1000–C1999 each story of the shared stack has to itself. Its posts, faults and
 * rates stay its own that way: what another story does at the same time never shows in them.
 */
const shares = {
  sending: 60,
  bulk: 160,
  idempotency: 60,
  gallery: 60,
  digest: 10,
  schedules: 20,
  connection: 10,
  'interaction-steps': 2,
  'interactions-in-the-browser': 2,
  'contract-fixtures': 100,
  'generated-requests': 300,
  metrics: 4,
  keys: 4,
  sdk: 100,
  'sdk-python': 40,
  cli: 10,
  impact: 2,
  'message-stream': 8,
  mentions: 10,
  'living-messages': 8,
  small: 1,
  runtimes: 10,
  generators: 1,
} as const;

/** A story that posts to channels of its own. */
export type Story = keyof typeof shares;

const first = new Map<string, number>();
let free = 1_000;
for (const [story, share] of Object.entries(shares)) {
  first.set(story, free);
  free += share;
}
if (free > 2_000) throw new Error(`the stories want ${free - 1_000} channels; the sandbox has 1,000`);

/** The channels of one story. */
export interface StoryChannels {
  /** The channel with this number, from 0. */
  at(number: number): string;
  /** One that was not taken yet. */
  next(): string;
}

/** The channels that a story has to itself. A channel takes about a message a second, so most tests take one each. */
export const channelsOf = (story: Story): StoryChannels => {
  let taken = 0;
  const at = (number: number): string => {
    if (number >= shares[story]) throw new Error(`"${story}" has ${shares[story]} channels: give it more`);
    return `C${(first.get(story) ?? 0) + number}`;
  };
  return { at, next: () => at(taken++) };
};
