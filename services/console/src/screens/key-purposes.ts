import type { Scope } from '@stanza/contracts';
import { scopeTexts } from './scope-texts.ts';

/**
 * What programs are commonly for, and the scopes that its operations require and no others; a test compares the two. A
 * send names its template, and reads none: a key that leaks from a sender opens no template.
 */
export const purposes: readonly (readonly [purpose: string, scopes: readonly Scope[]])[] = [
  ['Send messages', ['messages:create']],
  ['Send messages, and see what became of them', ['usage:read', 'messages:create']],
  ['Push events to queues', ['queues:write']],
  [
    'Keep templates as files, from a pipeline',
    [
      'templates:read',
      'entities:read',
      'sample-data:read',
      'modals:read',
      'templates:create',
      'templates:update',
      'templates:activate',
      'messages:preview',
      'entities:write',
      'modals:write',
      'sample-data:write',
    ],
  ],
  ['Read alone', scopeTexts.map(([scope]) => scope).filter((scope) => scope.endsWith(':read'))],
];

/** What a new key is for, until something else is chosen. */
export const usualScopes: ReadonlySet<Scope> = new Set(purposes[0]?.[1]);
