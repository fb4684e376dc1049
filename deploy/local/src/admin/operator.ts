import { userInfo } from 'node:os';
import { CodedError } from '@stanza/contracts';
import { type CallContext, connectRpc, newContext, type RpcClient, RpcFailure } from '@stanza/runtime';
import { z } from 'zod';
import { homeDirectory } from '../commands/home.ts';
import { codeOf, messageOf, StackFailure } from '../failure.ts';
import { readInfo } from '../info.ts';
import { parseNatsUrl } from '../nats/address.ts';
import { print } from './print.ts';

/** Timeout of an operator's call, milliseconds. */
const deadlineMs = 15_000;

/** Address of the broker for the operator: `NATS_URL`, otherwise the running stack. */
const brokerUrl = async (): Promise<string> => {
  if (process.env.NATS_URL) return process.env.NATS_URL;
  const info = await readInfo(homeDirectory().info);
  if (info !== undefined) return info.nats_url;
  throw new StackFailure(
    'No stack runs here, and NATS_URL is not set.',
    'Run "npm start" in another terminal, or set NATS_URL to nats://admin:<password>@<host>:4222.',
  );
};

/** Characters of the name of an operator. */
const nameLength = 100;

/**
 * Who runs the command, for the audit log: `STANZA_OPERATOR`, otherwise the user of this process. It is what the machine
 * says, and no proof. Customers read it, so it does not name the machine.
 */
export const operatorName = (given: string | undefined): string => {
  const name = given?.trim() || userOfProcess();
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, nameLength);
};

/** A container may run as a user without a name. */
const userOfProcess = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};

/** Shortens a coded error, and that of a service without an answer, to their text, without a stack trace. */
export const refusalFor = (error: unknown): unknown => {
  if (error instanceof CodedError)
    return new StackFailure(`${error.code}: ${error.message}`, error.facts.details ?? '', { cause: error });
  if (error instanceof RpcFailure)
    return new StackFailure(
      `${error.toCoded().message} (${error.message})`,
      'See whether that service runs, and what its /readyz says.',
      { cause: error },
    );
  return error;
};

const certificateFaults = ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN'];

/** Connects to the broker as the operator. */
const connect = async () => {
  const address = parseNatsUrl(await brokerUrl());
  try {
    return await connectRpc({ ...address, caller: 'admin' });
  } catch (error) {
    throw new StackFailure(
      `NATS does not let the operator in: ${messageOf(error)}`,
      certificateFaults.includes(codeOf(error) ?? '')
        ? 'Name the file of its authority with NODE_EXTRA_CA_CERTS.'
        : 'Check host, user and password of NATS_URL, and whether the server runs.',
      { cause: error },
    );
  }
};

/** Connects as the operator, and makes calls. */
export const asOperator = async <T>(
  call: (rpc: RpcClient, newCall: () => CallContext) => Promise<T>,
): Promise<T> => {
  const { rpc, close } = await connect();
  try {
    const operator = operatorName(process.env.STANZA_OPERATOR);
    return await call(rpc, () => newContext({ deadlineMs, operator }));
  } catch (error) {
    throw refusalFor(error);
  } finally {
    await close();
  }
};

/** Connects as the operator, makes one call, and prints its answer as JSON. */
export const printCall = async (
  call: (rpc: RpcClient, context: CallContext) => Promise<unknown>,
): Promise<void> => {
  await print(JSON.stringify(await asOperator((rpc, newCall) => call(rpc, newCall())), null, 2));
};

/** Parses the typed options by the schema of the operation, with its defaults. */
export const checked = <S extends z.ZodType>(schema: S, given: unknown): z.output<S> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new StackFailure(
    z.prettifyError(parsed.error),
    'Correct it; "--help" after a command shows its options.',
  );
};
