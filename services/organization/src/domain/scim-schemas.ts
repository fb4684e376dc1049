import { type ScimSchema, scimSchemas } from '@stanza/contracts';

type Attribute = ScimSchema['attributes'][number];

const attribute = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readOnly',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const value = attribute('value');

const complex = (name: string, parts: readonly Attribute[], more: Partial<Attribute> = {}): Attribute =>
  attribute(name, {
    type: 'complex',
    multiValued: true,
    ...more,
    subAttributes: parts.map(({ subAttributes: _, ...part }) => part),
  });

const schema = (
  id: string,
  name: string,
  description: string,
  attributes: readonly Attribute[],
): ScimSchema => ({
  schemas: [scimSchemas.schema],
  id,
  name,
  description,
  attributes: [...attributes],
  meta: { resourceType: 'Schema', location: `Schemas/${id}` },
});

/** The attributes that resources have, and which of them a provider may change. */
export const describedSchemas: readonly ScimSchema[] = [
  schema(scimSchemas.user, 'User', 'A member of the organization', [
    attribute('userName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
    attribute('externalId', { caseExact: true, mutability: 'readWrite' }),
    complex('name', [attribute('givenName'), attribute('familyName')], {
      multiValued: false,
      mutability: 'immutable',
    }),
    complex('emails', [value, attribute('type'), attribute('primary', { type: 'boolean' })]),
    complex('roles', [value, attribute('primary', { type: 'boolean' })], { mutability: 'immutable' }),
    complex('groups', [value, attribute('display')]),
    attribute('active', { type: 'boolean', mutability: 'readWrite' }),
  ]),
  schema(scimSchemas.group, 'Group', 'A role; its members are those whose role it is', [
    attribute('displayName', { required: true, uniqueness: 'server' }),
    complex('members', [value, attribute('display'), attribute('type')], { mutability: 'readWrite' }),
  ]),
];
