import { describe, expect, it } from '@jest/globals';
import { limits } from '@stanza/contracts';
import { checkImmutable, externalIdIn, type ProvisionedUser } from './scim.ts';

const user: ProvisionedUser = {
  id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  role: 'viewer',
  external_id: null,
  joined_at: new Date(0),
  deactivated_at: null,
};

describe('the attributes of a request of an identity provider', () => {
  it.each([
    'roles',
    'Roles.value',
    'roles[primary eq "True"].value',
    'urn:ietf:params:scim:schemas:core:2.0:User:roles[primary eq "True"].value',
    'URN:ietf:params:scim:schemas:core:2.0:user:Roles',
  ])('are known by %s', (name) => {
    expect(() => checkImmutable({ [name]: 'admin' }, user)).toThrow('cannot be changed over SCIM');
    expect(() => checkImmutable({ [name]: 'viewer' }, user)).not.toThrow();
  });

  it.each(['rolesOf', 'my.roles', 'urn:example:roles'])(
    'are others where the name is another: %s',
    (name) => {
      expect(() => checkImmutable({ [name]: 'admin' }, user)).not.toThrow();
    },
  );

  // A pattern that looks for the end of each bracket would take minutes.
  it('are read once, however long a name is', () => {
    const values = { ['['.repeat(400_000)]: 1, ['[].'.repeat(100_000)]: 1, externalId: 'ada-1' };
    checkImmutable(values, user);
    expect(externalIdIn(values)).toBe('ada-1');
  });

  it('takes an external id of as many characters as the limit says, an emoji being one', () => {
    const longest = '😀'.repeat(limits.externalId);
    expect(externalIdIn({ externalId: longest })).toBe(longest);
    expect(() => externalIdIn({ externalId: `${longest}x` })).toThrow();
  });
});
