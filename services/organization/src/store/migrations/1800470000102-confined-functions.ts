import { ConfinedFunctions } from '@stanza/runtime';

/** Lets the function that places entries of the audit log find the tables of the schema alone. */
export class ConfinedFunctions1800470000102 extends ConfinedFunctions {
  protected readonly functions = {
    schema: 'organization',
    called: ['commit_moment_after_start(xid8)'],
    triggered: [],
  };
}
