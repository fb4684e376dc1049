import { errorCodes } from '../error-codes.ts';
import { counter, gauge } from './declare.ts';

const services = ['organization'] as const;

/** Metrics of the organization service: credits. */
export const organizationMetrics = {
  charges: counter({
    name: 'stanza_charges_total',
    help: 'Compile charges by outcome: charged (including repeats), or the error code of the refusal',
    labels: { outcome: ['charged', ...errorCodes] },
    services,
  }),
  chargesReversed: counter({
    name: 'stanza_charges_reversed_total',
    help: 'Charges reversed because the response was not confirmed',
    labels: {},
    services,
  }),
  reservations: gauge({
    name: 'stanza_reservations_open',
    help: 'Reservations of messages without an outcome, counted up to 10,000',
    labels: {},
    services,
  }),
  reservationsOldest: gauge({
    name: 'stanza_reservations_oldest_seconds',
    help: 'Age of the oldest reservation of a message without an outcome',
    unit: 'seconds',
    labels: {},
    services,
  }),
} as const;
