import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { silentLogger } from '@stanza/runtime';
import { SteppedClock } from '@stanza/test-kit/service-world';
import { type JSONWebKeySet, SignJWT } from 'jose';
import { ProviderUnreachable } from '../access/sessions/fetch-key-set.ts';
import { ProviderKeys } from '../access/sessions/provider-keys.ts';
import { type SessionRules, type VerifySession, verifySession } from '../access/sessions/verify-session.ts';

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The verification settings for this provider. */
export const rules: SessionRules = {
  issuer: 'https://identity.example.com',
  audience: 'stanza',
  agentAudience: 'agents',
  algorithms: ['ES256', 'RS256'],
  types: ['JWT', 'at+jwt'],
  claims: { organization: 'organization_id', environment: 'environment' },
};

/** An identity provider, and the gateway's configuration for it. */
export class TestProvider {
  readonly clock = new SteppedClock();
  readonly keys: ProviderKeys;
  readonly verify: VerifySession;
  /** How often its keys were fetched. */
  asked = 0;
  isAway = false;
  #published: Key[] = [];

  constructor() {
    this.rotate();
    const fetch = async () => this.#answer();
    this.keys = new ProviderKeys({ fetch, clock: this.clock, log: silentLogger() });
    this.verify = verifySession(rules, { keys: this.keys, clock: this.clock });
  }

  /** The current signing key. */
  get current(): Key {
    const [key] = this.#published;
    if (!key) throw new Error('there is no key');
    return key;
  }

  /** Rotates to a new key; earlier ones stay published, or not. */
  rotate({ keep = true } = {}): void {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const older = keep ? this.#published : [];
    this.#published = [{ kid: `key-${older.length}-${Math.random()}`, ...pair }, ...older];
  }

  /** The claims of a valid token, with the test's changes; undefined removes one. */
  claims(changed: Record<string, unknown> = {}): Record<string, unknown> {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    return { iss: rules.issuer, aud: rules.audience, sub: 'ada', iat: now, exp: now + 60, ...changed };
  }

  /** A token of these claims. */
  sign(changed: Record<string, unknown> = {}, key: Key = this.current, typ?: string): Promise<string> {
    return new SignJWT(this.claims(changed))
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...(typ !== undefined && { typ }) })
      .sign(key.privateKey);
  }

  #answer(): JSONWebKeySet {
    this.asked += 1;
    if (this.isAway) throw new ProviderUnreachable('away');
    const keys = this.#published.map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kty: 'EC',
      kid,
      use: 'sig',
      alg: 'ES256',
    }));
    return { keys };
  }
}
