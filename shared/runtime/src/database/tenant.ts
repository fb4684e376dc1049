import type { Environment, Principal } from '@stanza/contracts';

/**
 * The tenant of a request: one environment of one organization. Nominal, so that a plain object with the same two
 * fields never passes for one; a store function that takes a Tenant can't be called with loose strings.
 */
export class Tenant {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly #nominal = true;

  constructor(organizationId: string, environment: Environment) {
    this.organizationId = organizationId;
    this.environment = environment;
  }

  /** The tenant of the principal. */
  static of(principal: Pick<Principal, 'organization_id' | 'environment'>): Tenant {
    return new Tenant(principal.organization_id, principal.environment);
  }

  /** True for an instance of this class only. */
  static isTenant(value: unknown): value is Tenant {
    return typeof value === 'object' && value !== null && #nominal in value;
  }
}

/** The tenant columns of a row; every condition of the stores begins with them. */
export const ownerOf = ({ organizationId, environment }: Tenant) => ({
  organization_id: organizationId,
  environment,
});
