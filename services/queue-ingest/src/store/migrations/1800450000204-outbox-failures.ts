import { OutboxFailures } from '@stanza/runtime';

/** Counts unexpected errors of jobs in their rows. */
export class OutboxFailures1800450000204 extends OutboxFailures {}
