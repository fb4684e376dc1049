import { apiKeyDigest, CodedError, isApiKey, type Principal } from '@stanza/contracts';
import { type CallContext, RpcFailure } from '@stanza/runtime';
import type { Exchange, Step } from '../exchange.ts';
import type { KeyCache } from '../key-cache.ts';

const bearerToken = (header: string | undefined): string => {
  if (header === undefined || header.trim() === '') throw new CodedError('unauthenticated');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) {
    throw new CodedError('unauthenticated', {
      message: 'The Authorization header must have the form `Bearer <API key>`.',
    });
  }
  return match[1];
};

/** Without the service that knows the keys, nobody is let in and nothing is done. */
const findPrincipal = async (keys: KeyCache, digest: string, context: CallContext): Promise<Principal> => {
  try {
    return await keys.find(digest, context);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const message = 'API keys cannot be checked at the moment; nothing was done.';
    throw new CodedError('service_unavailable', { message, retry_after: 1 }, { cause: error });
  }
};

/**
 * Finds out who is calling. A mistyped key is recognised by its checksum and costs no lookup; the key itself goes
 * no further than this process, only its digest does.
 */
export const authenticate =
  (keys: KeyCache): Step =>
  async (exchange: Exchange) => {
    const { operation, request, context } = exchange;
    if (operation.access === 'public' || operation.access === 'signed') return;
    const token = bearerToken(request.get('authorization'));
    if (!isApiKey(token)) {
      throw new CodedError('invalid_token', {
        message: 'The API key is mistyped or cut: its checksum does not fit.',
      });
    }
    exchange.principal = await findPrincipal(keys, apiKeyDigest(token), context);
    context.principal = exchange.principal;
  };
