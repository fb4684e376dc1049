import { ConfinedFunctions } from '@stanza/runtime';

/** Lets the functions that give keys find the tables of the schema alone. */
export class ConfinedFunctions1800470000100 extends ConfinedFunctions {
  protected readonly functions = {
    schema: 'template',
    called: [],
    triggered: ['give_key(text, text, uuid, text, uuid, text)', 'give_key_of_row()'],
  };
}
