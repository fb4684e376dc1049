import { describe, expect, it } from '@jest/globals';
import { findingsOfNamed, type Things } from './named-things.ts';

const feedback = '019a6c00-0000-7000-8000-00000000000a';
const gone = '019a6c00-0000-7000-8000-00000000000b';
const at = '/blocks/0/elements/0/interaction/0';

const things: Things = {
  modal: [{ id: feedback, name: 'Feedback', isLive: true }],
  destination: [],
};
const draft: Things = { modal: [{ id: feedback, name: 'Feedback', isLive: false }], destination: undefined };

const blocksWith = (action: object) => [
  { type: 'actions', elements: [{ type: 'button', interaction: [action] }] },
];
const findingsOf = (action: object, known: Things = things) =>
  findingsOfNamed(blocksWith(action), known, '/blocks');

describe('what a button names', () => {
  it.each([
    ['modal', { type: 'open_modal', modal_id: gone }, 'modal_id'],
    ['destination', { type: 'call_destination', destination_id: gone }, 'destination_id'],
  ])(
    'is a problem where the environment has no such %s, at the field that chooses it',
    (kind, action, key) => {
      expect(findingsOf(action)).toEqual([
        {
          kind: 'problem',
          pointer: `${at}/${key}`,
          message: `The ${kind} that is chosen here is not in this environment, so the element would do nothing.`,
          hint: 'Choose another one.',
        },
      ]);
    },
  );

  it('a modal without a live version is a warning', () => {
    expect(findingsOf({ type: 'open_modal', modal_id: feedback }, draft)).toEqual([
      {
        kind: 'warning',
        pointer: `${at}/modal_id`,
        message: 'No version of the modal `Feedback` is live yet, so the element opens nothing.',
      },
    ]);
  });

  it.each([
    ['a live modal', { type: 'open_modal', modal_id: feedback }],
    ['its id in capitals', { type: 'open_modal', modal_id: feedback.toUpperCase() }],
    ['an id of the data', { type: 'open_modal', modal_id: '{{form}}' }],
    ['none yet, which the engine says', { type: 'open_modal', modal_id: '' }],
    ['a type that every object has', { type: 'constructor', modal_id: gone }],
    ['nothing', { type: 'update_message', strategy: 'append' }],
  ])('is no finding for %s', (_, action) => {
    expect(findingsOf(action)).toEqual([]);
  });

  it('a destination is not called missing while only a part of them is known', () => {
    expect(findingsOf({ type: 'call_destination', destination_id: gone }, draft)).toEqual([]);
  });

  it('a missing modal is found in the blocks of an updated message too', () => {
    const inner = blocksWith({ type: 'open_modal', modal_id: gone });
    expect(findingsOf({ type: 'update_message', blocks: inner })).toMatchObject([
      { pointer: `${at}/blocks/0/elements/0/interaction/0/modal_id` },
    ]);
  });
});
