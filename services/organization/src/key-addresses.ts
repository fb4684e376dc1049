import {
  type AddressRange,
  isWithinRange,
  type Principal,
  parseAddressRange,
  validationFailed,
} from '@stanza/contracts';
import { Tenant, type Transaction } from '@stanza/runtime';
import { addressesOfKey } from './store/key-addresses.ts';

const isAllowed = (range: AddressRange, allowed: readonly AddressRange[]): boolean =>
  allowed.some((outer) => isWithinRange(range, outer));

/**
 * The addresses from where a new key may be used: the requested ranges, else those of the caller's key, which a new key
 * never exceeds. A session has no limit.
 * @throws CodedError `validation_failed` for a range beyond those of the caller's key
 */
export const allowedAddresses = async (
  tx: Transaction,
  principal: Principal,
  asked: readonly string[] = [],
): Promise<string[]> => {
  const { actor } = principal;
  const own = actor.type === 'api_key' ? await addressesOfKey(tx, Tenant.of(principal), actor.id) : [];
  if (own.length === 0) return [...asked];
  if (asked.length === 0) return own;
  const allowed = own.map(parseAddressRange);
  const issues = asked.flatMap((text, at) =>
    isAllowed(parseAddressRange(text), allowed)
      ? []
      : [
          {
            code: 'custom',
            path: ['allowed_addresses', at],
            message: 'is not within the addresses allowed for the key of this request',
          },
        ],
  );
  if (issues.length > 0) throw validationFailed(issues);
  return [...asked];
};
