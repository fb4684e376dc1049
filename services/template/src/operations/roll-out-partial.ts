import { CodedError, limits, notFound, rollOutPartial as operation, type RollOut } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { authorsOf } from '../domain/author.ts';
import { noLiveVersion } from '../domain/errors.ts';
import { behind } from '../domain/partials.ts';
import { needActivating } from '../read-activation-rights.ts';
import { rollOutTo } from '../roll-out.ts';
import { lastActivationAt } from '../store/activations.ts';
import { maxUsers, pageOfUsers } from '../store/partials.ts';
import { findKeyedPartial } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Makes a new version of each template and partial that holds another version of a partial than its live one. */
export const rollOutPartial = (dependencies: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const { database, allowances } = dependencies;
    const { template_keys: keys, activate, accept_breaks: accept, note = null } = body;
    const partial = await findKeyedPartial(tenant, database, params.id);
    if (!partial) throw notFound('partial');
    if (activate) needActivating(principal, 'a roll-out');
    if (partial.archived_at !== null) {
      throw new CodedError('invalid_state', {
        message: 'The partial is archived; unarchive it before you roll it out.',
      });
    }
    const { key, id, current_version_id } = partial;
    const version =
      current_version_id === null ? null : await findVersion(tenant, database, id, current_version_id);
    if (!version) throw noLiveVersion('partial');

    const { items } = await pageOfUsers(tenant, database, id, { keys, limit: maxUsers, offset: 0 });
    const meant = keys ? items : behind(items, version.version_number);
    const reached = meant.slice(0, limits.rolledOutTemplates);
    const rolling = {
      dependencies,
      tenant,
      context,
      principal,
      allowance: await allowances.of(tenant.organizationId),
      candidate: { key, version: version.version_number, blocks: version.blocks },
      authors: authorsOf(version),
      liveSince: await lastActivationAt(tenant, database, partial),
      note,
      activate,
      accept,
    };
    const results: RollOut['results'] = [];
    for (const user of reached) results.push(await rollOutTo(rolling, user));
    return {
      partial_id: id,
      version_number: version.version_number,
      results,
      remaining: meant.length - reached.length,
    };
  });
