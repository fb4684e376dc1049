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
 * From where a new key may be used: from where the caller says, or from where the key of the caller may be used, which
 * no key that it makes leaves. A session may be used from anywhere.
 * @throws CodedError `validation_failed` for a range that reaches beyond those of the caller's key
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
            message: 'reaches beyond the addresses from where the key of this request may be used',
          },
        ],
  );
  if (issues.length > 0) throw validationFailed(issues);
  return [...asked];
};
