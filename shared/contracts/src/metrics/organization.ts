import { errorCodes } from '../error-codes.ts';
import { counter, gauge } from './declare.ts';

const services = ['organization'] as const;

/** What the organization service tells of credits. */
export const organizationMetrics = {
  charges: counter({
    name: 'stanza_charges_total',
    help: 'Charges of compiles by outcome: charged (repeats included), or the code that refused them',
    labels: { outcome: ['charged', ...errorCodes] },
    services,
  }),
  chargesReversed: counter({
    name: 'stanza_charges_reversed_total',
    help: 'Charges taken back because their answers were not confirmed',
    labels: {},
    services,
  }),
  reservations: gauge({
    name: 'stanza_reservations_open',
    help: 'Reservations with messages that have no outcome yet, counted as far as 10,000',
    labels: {},
    services,
  }),
  reservationsOldest: gauge({
    name: 'stanza_reservations_oldest_seconds',
    help: 'Age of the oldest reservation with messages that have no outcome yet',
    unit: 'seconds',
    labels: {},
    services,
  }),
} as const;
