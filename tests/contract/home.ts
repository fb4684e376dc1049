import type { Environment } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import type { World } from '../kit/stack.ts';

/** One environment of an organization in which the matrix makes its requests. */
export interface Home {
  organization: TestOrganization;
  environment: Environment;
  /** The API with a key of the owner, which has every scope. */
  api: Api;
  /** The API with the owner's session, in production. */
  session: () => Promise<Api>;
  /** The API with the session of someone who is a member of nothing. */
  person: (email: string) => Promise<Api>;
  /** A new organization, for requests after which the one that they are made in is not the same. */
  another: () => Promise<Home>;
}

/** An organization of the widest tier, so that no limit of a tier stands in the way. */
export const newMatrixOrganization = (world: World): Promise<TestOrganization> =>
  world.newOrganization({ tier: 'enterprise', credits: 100_000 });

/** Opens an environment of an organization; by default production of a new one. */
export const openHome = async (
  world: World,
  given?: TestOrganization,
  environment: Environment = 'production',
): Promise<Home> => {
  const organization = given ?? (await newMatrixOrganization(world));
  const { key } = await organization.key({ environment });
  let session: Promise<Api> | undefined;
  // A token for preview alone would not reach what both environments share.
  const signIn = async (): Promise<Api> => world.api.with((await organization.session()).token);
  return {
    organization,
    environment,
    api: world.api.with(key),
    session: () => {
      session ??= signIn();
      return session;
    },
    person: async (email) => world.api.with(await world.person(email)),
    another: () => openHome(world),
  };
};
