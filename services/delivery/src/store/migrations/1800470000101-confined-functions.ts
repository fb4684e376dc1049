import { ConfinedFunctions } from '@stanza/runtime';

/** Lets the functions that give keys and place messages find the tables of the schema alone. */
export class ConfinedFunctions1800470000101 extends ConfinedFunctions {
  protected readonly functions = {
    schema: 'delivery',
    called: ['commit_moment_after_start(xid8)'],
    triggered: ['give_key(text, text, uuid, text, uuid, text)', 'give_key_of_row()'],
  };
}
