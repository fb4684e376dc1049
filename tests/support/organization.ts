import {
  addMember,
  createKey,
  createOrganization,
  type Environment,
  type InputOf,
  type InternalOperation,
  putChatConnection,
  type ReplyOf,
  type Role,
  type Scope,
  type TierName,
} from '@stanza/contracts';
import { newContext, type RpcClient } from '@stanza/runtime';
import { v7 } from 'uuid';

/** What a test's own organization starts with. */
export interface OrganizationOptions {
  credits?: number;
  tier?: TierName;
  /** Connects both environments to the sandbox. */
  connected?: boolean;
}

/** A key to make. */
export interface KeyOptions {
  role?: Role;
  environment?: Environment;
  scopes?: Scope[];
  expires_at?: string;
}

/** A key that was made. */
export interface MadeKey {
  id: string;
  key: string;
}

/** An organization that belongs to one test alone, made by the operator's operations. */
export class TestOrganization {
  readonly id: string;
  readonly #rpc: RpcClient;

  private constructor(id: string, rpc: RpcClient) {
    this.id = id;
    this.#rpc = rpc;
  }

  static async create(rpc: RpcClient, options: OrganizationOptions = {}): Promise<TestOrganization> {
    const name = `Test ${v7()}`;
    const made = await rpc.call(
      createOrganization,
      {
        name,
        tier: options.tier ?? 'free',
        owner_email: `owner-${v7()}@example.com`,
        owner_first_name: 'Olive',
        owner_last_name: 'Owner',
        credits: options.credits ?? 1_000,
      },
      newContext({ deadlineMs: 10_000 }),
    );
    const organization = new TestOrganization(made.organization_id, rpc);
    if (options.connected !== false) await organization.#connect();
    return organization;
  }

  /** Makes a key; by default the owner's, of production, with every scope. */
  async key({
    role = 'owner',
    environment = 'production',
    scopes,
    expires_at,
  }: KeyOptions = {}): Promise<MadeKey> {
    const made = await this.call(createKey, {
      organization_id: this.id,
      ...(role === 'owner' ? {} : { user_id: await this.#member(role) }),
      environment,
      name: `${role} ${environment}`,
      ...(scopes ? { scopes } : {}),
      ...(expires_at ? { expires_at } : {}),
    });
    return { id: made.key_id, key: made.key };
  }

  /** Calls an operator's operation. */
  call<O extends InternalOperation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>> {
    return this.#rpc.call(operation, input, newContext({ deadlineMs: 10_000 }));
  }

  async #member(role: Role): Promise<string> {
    const email = `${role}-${v7()}@example.com`;
    const { user_id } = await this.call(addMember, {
      organization_id: this.id,
      email,
      first_name: 'Mel',
      last_name: 'Member',
      role,
    });
    return user_id;
  }

  async #connect(): Promise<void> {
    for (const environment of ['production', 'preview'] as const) {
      const bot_token = `xoxb-sandbox-${this.id.slice(-12)}`;
      await this.call(putChatConnection, { organization_id: this.id, environment, bot_token });
    }
  }
}
