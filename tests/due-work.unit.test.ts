import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { statementsIn } from './kit/source-statements.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('services/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);
const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
const statements = texts.flatMap(statementsIn);

/** Jobs that sleep until their work is due: the table of the work, and the column with its moment, as a pattern. */
const work = {
  'begin-due-runs': { table: 'scheduled_messages', moment: 'next_run_at' },
  'close-batches': { table: 'batches', moment: '(?:window_end|live_due_at)' },
  'deliver-to-destinations': { table: 'deliveries', moment: 'due_at' },
  'end-abandoned-messages': { table: 'messages', moment: 'deadline_at' },
  'look-up-unknown-messages': { table: 'messages', moment: 'lookup_due_at' },
  'reverse-charges': { table: 'provisional_charges', moment: 'charged_at' },
  'run-interaction-actions': { table: 'interaction_actions', moment: 'due_at' },
  'send-deferred': { table: 'deferred_sends', moment: 'due_at' },
  'settle-overdue': { table: 'reservations', moment: 'report_due_at' },
};

/** Statements that write such a moment and wake nobody, each with the reason. */
const silent: Record<string, string> = {
  'charge-batch': 'A charge is overdue after 20 seconds, and a job sleeps for 15 at most.',
  'deferred-claim': 'The job itself claims, and looks again afterwards.',
  'deliveries-claim': 'The job itself claims, and looks again afterwards.',
  'delivery-hold': 'It moves the moment to the end of the delivery; a reactivation wakes the job.',
  'events-record': 'It wakes its job; a template within its text keeps that from being read here.',
  'interaction-action-claim': 'The job itself claims, and looks again afterwards.',
  'message-lookup-unread':
    'The job that looks messages up writes when it looks again, and asks for the next.',
  'message-renew': 'A process gives its message more time; the look at its old deadline finds nothing.',
  'message-resolve-unknown':
    'The message is sent: until when a late call may come about is read by changes alone.',
  'messages-abandon': 'The job that abandons messages begins their lookups itself.',
  'messages-begin': 'Only a process that dies abandons its message: a look each 15 seconds finds it.',
  'messages-claim-lookups': 'The job itself claims, and looks again afterwards.',
  'messages-insert': 'Only a process that dies abandons its message: a look each 15 seconds finds it.',
  'reservation-claim-due': 'Delivery is asked again after 30 seconds, and a job sleeps for 15 at most.',
  'reservations-add': 'Delivery is asked after 30 seconds, and a job sleeps for 15 at most.',
  'reservations-reserve': 'Delivery is asked after 30 seconds, and a job sleeps for 15 at most.',
};

/**
 * True where a statement inserts rows into a table, or sets the column in it to a moment. What records events orders
 * deliveries.
 */
const writes = (text: string, { table, moment }: { table: string; moment: string }): boolean =>
  (table === 'deliveries' && /\$\{recording/.test(text)) ||
  new RegExp(`insert into ${table}\\b`).test(text) ||
  new RegExp(`update ${table}\\b[^;]*?\\bset\\b(?:(?!\\bwhere\\b)[^;])*?\\b${moment} = (?!null)`).test(text);

describe('work that waits for its moment', () => {
  it('is looked for by every job that sleeps until then, and by no other', () => {
    const sleeping = texts.flatMap((text) =>
      [...text.matchAll(/whenDue\('([\w-]+)'/g)].map(([, name]) => name),
    );
    expect(sleeping.toSorted()).toEqual(Object.keys(work));
  });

  it('wakes its job wherever it is written, but for the claims of the job', () => {
    const unwoken = Object.entries(work).flatMap(([job, waiting]) =>
      statements.filter((it) => writes(it.text, waiting) && it.wakes !== job).map((it) => it.name),
    );
    expect([...new Set(unwoken)].toSorted()).toEqual(Object.keys(silent));
    for (const reason of Object.values(silent)) expect(reason).toMatch(/^\S+ .{15,}\.$/);
  });

  it('wakes no job that does not sleep', () => {
    for (const { wakes } of statements) {
      if (wakes !== undefined) expect(Object.keys(work)).toContain(wakes);
    }
    expect(statements.filter((it) => it.wakes !== undefined).length).toBeGreaterThan(12);
  });
});
