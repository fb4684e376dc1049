import {
  type DeadLetterService,
  deadLetterServices,
  listDeadLetters,
  resolveDeadLetter,
} from '@stanza/contracts';
import { Argument, Command } from 'commander';
import { z } from 'zod';
import { checked, printCall } from './operator.ts';

const serviceSchema = z.enum(deadLetterServices);

const list = (service: DeadLetterService, asked: unknown): Promise<void> => {
  const operation = listDeadLetters[service];
  const input = checked(operation.input, asked);
  return printCall((rpc, context) => rpc.call(operation, input, context));
};

const resolve = (service: DeadLetterService, asked: unknown): Promise<void> => {
  const operation = resolveDeadLetter[service];
  const input = checked(operation.input, asked);
  return printCall((rpc, context) => rpc.call(operation, input, context));
};

/** `npm run admin -- dead-letters …`: work that failed for good. */
export const deadLetters = (): Command => {
  const group = new Command('dead-letters').description('work that failed for good');
  const service = () => new Argument('<service>', 'the service of the work').choices(deadLetterServices);
  group
    .command('list')
    .addArgument(service())
    .description('list them, oldest first')
    .option('--resolved', 'resolved ones')
    .option('--limit <number>', '1 to 1000', Number)
    .option('--offset <number>', 'rows to skip', Number)
    .action((whose, { resolved, limit, offset }) =>
      list(checked(serviceSchema, whose), { resolved, limit, offset }),
    );
  group
    .command('show')
    .addArgument(service())
    .argument('<id>')
    .description('show one with its payload')
    .action((whose, id) => list(checked(serviceSchema, whose), { id }));
  for (const [how, meaning] of [
    ['replay', 'do the work; it is done once, however often this is called'],
    ['discard', 'discard the work'],
  ] as const) {
    group
      .command(how)
      .addArgument(service())
      .argument('<id>')
      .description(meaning)
      .action((whose, id) => resolve(checked(serviceSchema, whose), { id, how }));
  }
  return group;
};
