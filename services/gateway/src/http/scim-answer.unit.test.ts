import { expect, it } from '@jest/globals';
import { scimAnswer } from './answers.ts';

const json = Buffer.from(JSON.stringify({ id: '1', meta: { location: 'Users/1' } }));

it('The answer of SCIM to a creation names the resource, and no other answer does', () => {
  expect(scimAnswer(201, json).headers).toMatchObject({ Location: 'Users/1' });
  expect(scimAnswer(200, json).headers).not.toHaveProperty('Location');
});
