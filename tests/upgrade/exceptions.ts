import type { Rule } from './expand-only.ts';

/** A breach that is meant. */
export interface Exception {
  migration: string;
  rule: Rule;
  why: string;
}

/** Every breach that is meant; a new migration has none but for a reason of its own. */
export const exceptions: readonly Exception[] = [
  {
    migration: 'Baseline1800390000000',
    rule: 'touches',
    why: 'the migrations that it replaces are recorded, for the previous version, which looks for them',
  },
  {
    migration: 'LivingMessages1800410000310',
    rule: 'takes',
    why: 'two checks make room for the status `deleted`; what the previous version writes fits the wider ones',
  },
  {
    migration: 'PausedSchedules1800430000519',
    rule: 'takes',
    why: 'two checks make room for the status `paused`; what the previous version writes fits the wider ones',
  },
  {
    migration: 'MessageStateKeyIndex1800460000100',
    rule: 'demands',
    why: 'the triggers that write states, for every version, write one for a message',
  },
  {
    migration: 'MessageStateKey1800460000101',
    rule: 'takes',
    why: 'a message has one state, so that the shorter key holds; what triggers replace runs for every version',
  },
  {
    migration: 'KeptMessageKeys1800460000104',
    rule: 'demands',
    why: 'no version changes the key of a message, which is all that the trigger refuses',
  },
  {
    migration: 'QuickCommitMoment1800460000102',
    rule: 'takes',
    why: 'the function gives the same moment with fewer rights, which every version has',
  },
  {
    migration: 'QuickCommitMoment1800460000103',
    rule: 'takes',
    why: 'the function gives the same moment with fewer rights, which every version has',
  },
  {
    migration: 'ConfinedFunctions1800470000100',
    rule: 'takes',
    why: 'triggers alone call the functions, and need no right for it',
  },
  {
    migration: 'ConfinedFunctions1800470000101',
    rule: 'takes',
    why: 'triggers alone call the functions, and need no right for it',
  },
  {
    migration: 'ConfinedFunctions1800470000103',
    rule: 'takes',
    why: 'triggers alone call the functions, and need no right for it',
  },
  {
    migration: 'StatesInOnePlace1800480000101',
    rule: 'takes',
    why: 'the triggers write the same rows as before',
  },
  {
    migration: 'ForgottenSeals1800500000560',
    rule: 'takes',
    why: 'the previous version takes the number for one of entries, writes it to its log and calls again until it is 0',
  },
];
