import {
  addMember,
  bindIdentity,
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
import { sandboxIdentity } from '@stanza/local';
import { newContext, type RpcClient } from '@stanza/runtime';
import { v7 } from 'uuid';
import type { IdentityProvider, TokenOptions } from './identity.ts';

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

/** Whose session to make, and what its token says besides. */
export interface SessionOptions extends Omit<TokenOptions, 'subject'> {
  /** Default: the owner. */
  role?: Role;
}

/** A member's session. */
export interface MadeSession {
  token: string;
  userId: string;
  email: string;
  subject: string;
}

interface Member {
  id: string;
  email: string;
}

/** What a test's organization is made with. */
export interface OrganizationMakers {
  rpc: RpcClient;
  identity: IdentityProvider;
}

/** An organization that belongs to one test alone, made by the operator's operations. */
export class TestOrganization {
  readonly id: string;
  readonly #owner: Member;
  readonly #rpc: RpcClient;
  readonly #identity: IdentityProvider;

  private constructor(id: string, owner: Member, { rpc, identity }: OrganizationMakers) {
    this.id = id;
    this.#owner = owner;
    this.#rpc = rpc;
    this.#identity = identity;
  }

  static async create(
    makers: OrganizationMakers,
    options: OrganizationOptions = {},
  ): Promise<TestOrganization> {
    const name = `Test ${v7()}`;
    const email = `owner-${v7()}@example.com`;
    const made = await makers.rpc.call(
      createOrganization,
      {
        name,
        tier: options.tier ?? 'free',
        owner_email: email,
        owner_first_name: 'Olive',
        owner_last_name: 'Owner',
        credits: options.credits ?? 1_000,
      },
      newContext({ deadlineMs: 10_000 }),
    );
    const organization = new TestOrganization(made.organization_id, { id: made.user_id, email }, makers);
    if (options.connected !== false) await organization.#connect();
    return organization;
  }

  /** Makes a key; by default the owner's, of production, with every scope. */
  async key({ role = 'owner', ...more }: KeyOptions = {}): Promise<MadeKey> {
    return this.keyOf(role === 'owner' ? undefined : (await this.#member(role)).id, more);
  }

  /** Creates a key for a user, by default the current owner, of production and with every scope. */
  async keyOf(
    user_id: string | undefined,
    { environment = 'production', scopes, expires_at }: Omit<KeyOptions, 'role'> = {},
  ): Promise<MadeKey> {
    const made = await this.call(createKey, {
      organization_id: this.id,
      ...(user_id ? { user_id } : {}),
      environment,
      name: `${user_id ?? 'owner'} ${environment}`,
      ...(scopes ? { scopes } : {}),
      ...(expires_at ? { expires_at } : {}),
    });
    return { id: made.key_id, key: made.key };
  }

  /** Signs a member in; by default the owner, in production. */
  async session({ role = 'owner', ...claims }: SessionOptions = {}): Promise<MadeSession> {
    const { id: subject, email } = await this.#member(role);
    await this.call(bindIdentity, { email, issuer: sandboxIdentity.issuer, subject });
    const token = await this.#identity.token({
      subject,
      email,
      organization_id: this.id,
      ...claims,
      claims: { azp: 'stanza-console', ...claims.claims },
    });
    return { token, userId: subject, email, subject };
  }

  /** Calls an operator's operation. */
  call<O extends InternalOperation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>> {
    return this.#rpc.call(operation, input, newContext({ deadlineMs: 10_000 }));
  }

  /** The owner, or a new member. */
  async #member(role: Role): Promise<Member> {
    if (role === 'owner') return this.#owner;
    const email = `${role}-${v7()}@example.com`;
    const { user_id } = await this.call(addMember, {
      organization_id: this.id,
      email,
      first_name: 'Mel',
      last_name: 'Member',
      role,
    });
    return { id: user_id, email };
  }

  async #connect(): Promise<void> {
    for (const environment of ['production', 'preview'] as const) {
      const bot_token = `xoxb-sandbox-${this.id.slice(-12)}`;
      await this.call(putChatConnection, { organization_id: this.id, environment, bot_token });
    }
  }
}
