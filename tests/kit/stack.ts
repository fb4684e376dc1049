import { connectionLimits } from '@stanza/local/database-client';
import { connectRpc, type RpcClient } from '@stanza/runtime';
import { testStack } from '@stanza/test-kit/database';
import pg from 'pg';
import { v7 } from 'uuid';
import { Api } from './api.ts';
import { IdentityProvider, type TokenOptions } from './identity.ts';
import { type OrganizationOptions, TestOrganization } from './organization.ts';
import { SandboxControl } from './sandbox.ts';

/** The running stack as a test uses it. */
export interface World {
  api: Api;
  sandbox: SandboxControl;
  rpc: RpcClient;
  database: pg.Pool;
  sandboxUrl: string;
  identity: IdentityProvider;
  /** A session token of someone with this verified address, who is a member of nothing. */
  person(email: string, more?: Partial<TokenOptions>): Promise<string>;
  newOrganization(options?: OrganizationOptions): Promise<TestOrganization>;
  close(): Promise<void>;
}

/** The parts of `stack.json` that a world is made from. */
export interface WorldAddresses {
  base_url: string;
  sandbox_url: string;
  identity_url: string;
  identity_secret: string;
  database_url: string;
  nats_url: string;
}

/** Connects to a stack. */
export const openWorld = async (
  addresses: WorldAddresses = testStack(),
  { isChecked = true }: { isChecked?: boolean } = {},
): Promise<World> => {
  const nats = new URL(addresses.nats_url);
  const { rpc, close } = await connectRpc({
    url: `${nats.protocol}//${nats.host}`,
    user: decodeURIComponent(nats.username),
    password: decodeURIComponent(nats.password),
    caller: 'admin',
  });
  const database = new pg.Pool({ ...connectionLimits, connectionString: addresses.database_url, max: 2 });
  const identity = new IdentityProvider(addresses.identity_url, addresses.identity_secret);
  return {
    api: new Api(addresses.base_url, undefined, isChecked),
    sandbox: new SandboxControl(addresses.sandbox_url),
    sandboxUrl: addresses.sandbox_url,
    identity,
    person: (email, more) => identity.token({ subject: v7(), email, ...more }),
    rpc,
    database,
    newOrganization: (options) => TestOrganization.create({ rpc, identity }, options),
    close: async () => {
      await close();
      await database.end();
    },
  };
};

/** An organization of a test's own, and the API as its owner's key calls it. */
export interface OwnOrganization {
  organization: TestOrganization;
  api: Api;
}

/** Founds an organization on a stack. */
export const foundIn = async (world: World, options?: OrganizationOptions): Promise<OwnOrganization> => {
  const organization = await world.newOrganization(options);
  return { organization, api: world.api.with((await organization.key()).key) };
};

/** A stack as a test uses it, with an organization of the test's own. */
export interface OwnWorld extends OwnOrganization {
  world: World;
  close(): Promise<void>;
}

/** Connects to the shared stack, and founds an organization on it. */
export const openWorldWith = async (options?: OrganizationOptions): Promise<OwnWorld> => {
  const world = await openWorld();
  return { world, ...(await foundIn(world, options)), close: () => world.close() };
};
