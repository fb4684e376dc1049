import type { OutboundReply } from './outbound-reply.ts';

/** An attempt that speaks for trouble at the other side, as breakers want to see it. */
export class DestinationFault extends Error {
  override readonly name = 'DestinationFault';
  readonly reply: OutboundReply;

  constructor(reply: OutboundReply) {
    super(reply.error ?? reply.outcome);
    this.reply = reply;
  }
}
