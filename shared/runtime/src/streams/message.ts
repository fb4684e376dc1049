import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type ServiceName, serviceNames } from '@stanza/contracts';

const messageIdHeader = 'Message-Id';
const attemptHeader = 'Attempt';
const producerHeader = 'Producer';
const traceHeader = 'Traceparent';

/** Facts of a message from an outbox besides its payload. */
export interface MessageFacts {
  /** Id of the outbox row: the same for every attempt. */
  id: string;
  /** Number of the publication, from 1. */
  attempt: number;
  producer: ServiceName;
  traceparent?: string;
}

/** The headers of a message. */
export const encodeFacts = (facts: MessageFacts): MsgHdrs => {
  const encoded = headers();
  encoded.set(messageIdHeader, facts.id);
  encoded.set(attemptHeader, String(facts.attempt));
  encoded.set(producerHeader, facts.producer);
  if (facts.traceparent) encoded.set(traceHeader, facts.traceparent);
  return encoded;
};

/** Reads the headers of a message; undefined when it does not come from an outbox. */
export const decodeFacts = (encoded: MsgHdrs | undefined): MessageFacts | undefined => {
  const id = encoded?.get(messageIdHeader);
  const producer = serviceNames.find((name) => name === encoded?.get(producerHeader));
  if (!encoded || !id || !producer) return undefined;
  const traceparent = encoded.get(traceHeader);
  return {
    id,
    attempt: Number(encoded.get(attemptHeader)),
    producer,
    ...(traceparent && { traceparent }),
  };
};
