import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** Seconds for which the addresses of a name are good. */
export const ttlSeconds = 30;

/** The families that are asked for, by the number of their records. */
const families: Record<number, 4 | 6> = { 1: 4, 28: 6 };

/** A name server on this machine, which knows the names that a test gives it. */
export interface NameServer {
  /** Its address with its port. */
  address: string;
  /** Addresses of IPv4 by name, in lower case; every other name is unknown. */
  addresses: Map<string, readonly string[]>;
  /** Names whose questions get no answer. */
  silent: Set<string>;
  /** Each question so far: the name and the family of addresses. */
  asked: string[];
  close: () => Promise<void>;
}

/** The name and the family that a question asks for, and the byte at which it ends. */
const readQuestion = (message: Buffer) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = families[message.readUInt16BE(at + 1)];
  return { name: labels.join('.').toLowerCase(), family, end: at + 5 };
};

/** The answer to a question: addresses of IPv4, or that there is no such name. */
const answerTo = (message: Buffer, end: number, addresses: readonly string[] | undefined): Buffer => {
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(addresses ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((address) => {
    const record = Buffer.from('c00c00010001000000000004', 'hex');
    record.writeUInt32BE(ttlSeconds, 6);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([head, message.subarray(12, end), ...records]);
};

/** Starts a name server on any free port of this machine. */
export const startNameServer = async (): Promise<NameServer> => {
  const addresses: NameServer['addresses'] = new Map();
  const silent = new Set<string>();
  const asked: string[] = [];
  const socket = createSocket('udp4').on('message', (message: Buffer, from: RemoteInfo) => {
    const { name, family, end } = readQuestion(message);
    asked.push(`${name} ${family}`);
    if (silent.has(name)) return;
    const found = addresses.get(name);
    socket.send(answerTo(message, end, found && family === 6 ? [] : found), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    addresses,
    silent,
    asked,
    close: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
};
