import type { Environment, Principal } from '@stanza/contracts';

/**
 * Whose rows a request may touch: one environment of one organization. Nominal, so that a plain object with the
 * same two fields never passes for one; a store function that takes a Tenant can't be called with loose strings.
 */
export class Tenant {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly #nominal = true;

  constructor(organizationId: string, environment: Environment) {
    this.organizationId = organizationId;
    this.environment = environment;
  }

  /** The tenant in whose name the principal acts. */
  static of(principal: Pick<Principal, 'organization_id' | 'environment'>): Tenant {
    return new Tenant(principal.organization_id, principal.environment);
  }

  /** True for a value that this class made, and for nothing that merely looks like it. */
  static isTenant(value: unknown): value is Tenant {
    return typeof value === 'object' && value !== null && #nominal in value;
  }
}
