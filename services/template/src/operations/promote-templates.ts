import {
  authorOf,
  CodedError,
  type InputOf,
  promoteTemplates as operation,
  type Promotion,
  type UnmappedReference,
} from '@stanza/contracts';
import { type CallContext, handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { ActivationRights } from '../domain/activation-rights.ts';
import { activationBreaks } from '../guard-activation.ts';
import { checkContent } from '../promotion/check-content.ts';
import { mapReferences } from '../promotion/map-references.ts';
import { asDryRun, type Prepared, writePromotion } from '../promotion/promote.ts';
import { readSource, type Source } from '../promotion/source.ts';
import { checkReading, checkWriting, sourcePrincipal } from '../promotion/source-principal.ts';
import { beginWork } from '../promotion/work.ts';
import { activationRightsOf, needActivating } from '../read-activation-rights.ts';

type Body = InputOf<typeof operation>['body'];

/** Carries the result of a dry run out of its transaction, which is rolled back by it. */
class DryRun extends Error {
  override readonly name = 'DryRun';
  readonly promotion: Promotion;

  constructor(promotion: Promotion) {
    super('a dry run is rolled back');
    this.promotion = promotion;
  }
}

const unmappedError = (references: readonly UnmappedReference[]): CodedError =>
  new CodedError('promotion_unmapped', {
    details: references.map((it) => `${it.template_key}${it.pointer ?? ''}: ${it.message}`).join('\n'),
    error_details: JSON.stringify(references),
  });

/** Refuses before anything is written. */
const checkPrepared = ({ mapped, breaks }: Prepared): void => {
  const blocking = mapped.unmapped.filter(({ is_blocking }) => is_blocking);
  if (blocking.length > 0) throw unmappedError(blocking);
  const lines = [...breaks].flatMap(([key, pieces]) => pieces.map((piece) => `${key}: ${piece}`));
  if (lines.length > 0) throw activationBreaks(lines);
};

/** What is promoted, and where to. */
interface Promoting {
  from: Tenant;
  to: Tenant;
  source: Source;
  body: Body;
  /** What the caller may make live; null where nothing is made live. */
  rights: ActivationRights | null;
}

/** Maps and checks what is promoted, before the transaction that writes it. */
const prepare = async (
  dependencies: Pick<Dependencies, 'database' | 'rpc'>,
  context: CallContext,
  { from, to, source, body, rights }: Promoting,
): Promise<Prepared> => {
  const mapped = await mapReferences(dependencies, context, { from, to: to.environment, source });
  const breaks = await checkContent(dependencies, context, {
    from,
    to,
    source,
    mapped,
    rights,
    accept: body.accept_breaks,
    isDry: body.dry_run,
  });
  return { source, mapped, breaks };
};

/** Copies templates from the other environment. A dry run does the same, and is rolled back. */
export const promoteTemplates = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const reader = sourcePrincipal(body.from, principal, context);
    const from = Tenant.of(reader);
    // Before anything is looked for, so that a key which may not read learns nothing of what there is.
    checkReading(reader, { templates: [], entities: [] });
    const source = await readSource(from, database, body.keys);
    checkReading(reader, source);
    const readRights = activationRightsOf(rpc, context, principal, 'templates:activate', 'promotion');
    if (body.activate) needActivating(principal, 'a promotion');
    const rights = body.activate ? await readRights() : null;
    rights?.needPerson();
    const prepared = await prepare({ database, rpc }, context, { from, to: tenant, source, body, rights });
    if (!body.dry_run) checkPrepared(prepared);

    const allowance = await allowances.of(tenant.organizationId);
    const facts = { tenant, allowance, from: body.from, author: authorOf(principal.actor), at: clock.now() };
    const asked = {
      note: body.note,
      activation: rights && { actor: principal.actor, readRights },
    };
    try {
      return await database.transaction(async (tx) => {
        const work = beginWork({ outbox, clock }, context, { ...facts, tx });
        const promotion = await writePromotion(work, prepared, asked);
        checkWriting(principal, promotion);
        if (body.dry_run) throw new DryRun(promotion);
        return promotion;
      });
    } catch (error) {
      if (error instanceof DryRun) return asDryRun(error.promotion);
      throw error;
    }
  });
