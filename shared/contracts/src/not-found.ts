import type { ErrorCode } from './error-codes.ts';
import { CodedError } from './errors.ts';

interface Missing {
  code: ErrorCode;
  /** Message where the code's own does not fit. */
  message?: string;
}

/** The error for each kind of resource that an id may fail to find; the default text is that of the code. */
const missing = {
  template: { code: 'template_not_found' },
  partial: { code: 'partial_not_found' },
  version: { code: 'version_not_found' },
  draft: { code: 'not_found', message: 'The template has no draft.' },
  proposal: { code: 'not_found', message: 'The template has no such proposal.' },
  entity: { code: 'entity_not_found' },
  field: { code: 'field_not_found' },
  organization: { code: 'organization_not_found' },
  user: { code: 'user_not_found' },
  profile: { code: 'profile_not_found' },
  'credit account': { code: 'credits_not_found' },
  modal: {
    code: 'not_found',
    message: 'There is no such modal in this organization and environment.',
  },
  'sample data': {
    code: 'not_found',
    message: 'There is no such sample data in this organization and environment.',
  },
  queue: { code: 'not_found', message: 'There is no such queue.' },
  batch: { code: 'not_found', message: 'The queue has no such batch.' },
  destination: { code: 'not_found', message: 'There is no such destination in this environment.' },
  delivery: { code: 'not_found', message: 'The destination has no such delivery.' },
  'event subscription': {
    code: 'not_found',
    message: 'There is no such subscription to events in this environment.',
  },
  'scheduled message': { code: 'not_found', message: 'There is no such scheduled message.' },
  connection: { code: 'not_found', message: 'The environment is not connected.' },
  'API key': { code: 'not_found', message: 'There is no such API key.' },
  group: { code: 'not_found', message: 'There is no such group.' },
  invitation: { code: 'not_found', message: 'The organization has no such invitation.' },
  'idempotency record': { code: 'not_found' },
  'dead letter': { code: 'not_found' },
} as const satisfies Record<string, Missing>;

/** A kind of resource with a not-found error. */
export type Findable = keyof typeof missing;

/** The error for a resource that does not exist for the caller: it is the same when another tenant has it. */
export const notFound = (what: Findable): CodedError => {
  const { code, ...facts }: Missing = missing[what];
  return new CodedError(code, facts);
};
