import { describe, expect, it } from '@jest/globals';
import { createScimUser } from './scim.ts';

describe('a person whom an identity provider adds', () => {
  const read = (value: string) =>
    createScimUser.body?.safeParse({ userName: 'ada@example.com', roles: [{ value, primary: true }] });

  it.each(['admin', 'Admin', 'ADMIN'])('A person has the role %s in any case', (value) => {
    expect(read(value)?.data).toMatchObject({ roles: [{ value: 'admin', primary: true }] });
  });

  it.each(['owner', 'Administrator'])('A person has no role %s', (value) => {
    expect(read(value)?.error?.issues).toMatchObject([{ path: ['roles', 0, 'value'] }]);
  });
});
