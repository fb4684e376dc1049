import {
  getIdempotencyRecord,
  listIdempotencyRecords,
  releaseIdempotencyRecord,
  replaceNumbers,
  settleIdempotencyRecord,
  unkeptOf,
} from '@stanza/contracts';
import { Command } from 'commander';
import { StackFailure } from '../failure.ts';
import { checked, printCall } from './operator.ts';

/** Parses the typed answer; refuses a number whose digits would change. */
export const parsedReply = (text: string): unknown => {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch (error) {
    const advice = 'Give the whole answer as one JSON object, in quotes.';
    throw new StackFailure('--reply is not JSON.', advice, { cause: error });
  }
  replaceNumbers(text, (written) => {
    if (unkeptOf(written) === undefined) return written;
    const advice = 'No answer of the API has such a number: correct it.';
    throw new StackFailure(
      `--reply has the number ${written.slice(0, 40)}, whose digits are not kept.`,
      advice,
    );
  });
  return reply;
};

/** The typed outcome; undefined when the service of the operation decides. */
const outcomeOf = ({ reply, error, message }: { reply?: string; error?: string; message?: string }) => {
  if (reply !== undefined) return { reply: parsedReply(reply) };
  return error === undefined ? undefined : { code: error, message };
};

/** `npm run admin -- idempotency …`: requests with an `Idempotency-Key`. */
export const idempotency = (): Command => {
  const group = new Command('idempotency').description('requests with an Idempotency-Key');
  group
    .command('list')
    .description('list them, oldest first; by default those in flight or blocked')
    .option('--state <state>', 'incomplete, released or completed')
    .option('--organization-id <id>')
    .option('--key <key>', 'the Idempotency-Key')
    .option('--limit <number>', '1 to 1000', Number)
    .option('--offset <number>', 'rows to skip', Number)
    .action(({ state, organizationId, key, limit, offset }) => {
      const asked = { state, organization_id: organizationId, key, limit, offset };
      const input = checked(listIdempotencyRecords.input, asked);
      return printCall((rpc, context) => rpc.call(listIdempotencyRecords, input, context));
    });
  group
    .command('show <operation-id>')
    .description('show one')
    .action((operation_id) => {
      const input = checked(getIdempotencyRecord.input, { operation_id });
      return printCall((rpc, context) => rpc.call(getIdempotencyRecord, input, context));
    });
  group
    .command('settle <operation-id>')
    .description('settle a blocked one with its true outcome, by default that of the service that ran it')
    .option('--reply <json>', 'the answer of a success, instead of asking the service')
    .option('--error <code>', 'the code of a failure, instead of asking the service')
    .option('--message <text>', 'the text of that failure')
    .action((operation_id, given) => {
      const input = checked(settleIdempotencyRecord.input, { operation_id, outcome: outcomeOf(given) });
      return printCall((rpc, context) => rpc.call(settleIdempotencyRecord, input, context));
    });
  group
    .command('release <operation-id>')
    .description('let the next request with its key run; posts and charges are not repeated')
    .action((operation_id) => {
      const input = checked(releaseIdempotencyRecord.input, { operation_id });
      return printCall((rpc, context) => rpc.call(releaseIdempotencyRecord, input, context));
    });
  return group;
};
