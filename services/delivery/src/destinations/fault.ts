import type { OutboundReply } from './outbound-reply.ts';

/** An attempt that counts as a destination failure, for breakers. */
export class DestinationFault extends Error {
  override readonly name = 'DestinationFault';
  readonly reply: OutboundReply;

  constructor(reply: OutboundReply) {
    super(reply.error ?? reply.outcome);
    this.reply = reply;
  }
}
