import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { verifySignature } from '../chat/chat-signature.ts';
import { click } from '../interactions/click.ts';
import type { InteractivityDependencies } from '../interactions/dependencies.ts';
import { readInteraction } from '../interactions/interaction-payload.ts';
import { submit } from '../interactions/submission.ts';

interface ReceivingDependencies extends InteractivityDependencies {
  /** Undefined without a configured secret. */
  signingSecret: string | undefined;
}

/** Handles an interaction from the chat platform. One that concerns no Stanza message is accepted and ignored. */
export const receiveInteraction = (dependencies: ReceivingDependencies) => {
  const { signingSecret: secret } = dependencies;
  const received = dependencies.metrics.counter(contracts.metricCatalogue.delivery.interactions);
  return handle(contracts.receiveInteraction, async ({ input, context, log }) => {
    if (secret === undefined) {
      throw new contracts.CodedError('misconfigured', {
        message: 'Interactions cannot be verified: set STANZA_CHAT_SIGNING_SECRET.',
      });
    }
    const bytes = verifySignature(input.body, secret, dependencies.clock.now());
    const payload = readInteraction(bytes);
    const note = (isKnown: boolean): void => {
      received.inc({ kind: payload.type, known: String(isKnown) });
      if (!isKnown) log.info({ kind: payload.type }, 'an interaction with an unknown message was ignored');
    };
    switch (payload.type) {
      case 'url_verification':
        return { challenge: payload.challenge };
      case 'block_actions':
        note(await click(dependencies, payload, context));
        return {};
      case 'view_submission': {
        const response = await submit(dependencies, payload, context);
        note(response !== undefined);
        return response ?? {};
      }
      case 'ssl_check':
      case 'other':
        return {};
    }
  });
};
