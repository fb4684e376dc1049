import {
  authorOf,
  CodedError,
  notFound,
  duplicateTemplate as operation,
  type Principal,
} from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { authorsOf, authorsOfSettings, withAuthors } from '../domain/author.ts';
import { beginningOf } from '../domain/new-template.ts';
import { presentTemplate, presentVersion } from '../domain/present-template.ts';
import { needTemplate } from '../references.ts';
import { insertTemplateOnce } from '../store/authoring.ts';
import { liveOrNewestVersion } from '../store/requested-version.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { storedTemplates } from '../store/stored.ts';
import { findTemplate } from '../store/templates.ts';

/** The copy shows the blocks and the data of the original, so it requires the scope to read them. */
const checkReading = ({ scopes }: Principal): void => {
  if (scopes.includes('templates:read')) return;
  throw new CodedError('insufficient_scope', {
    message:
      'A copy shows the content of the template and requires the scope templates:read besides templates:create.',
    required_scopes: ['templates:read'],
    user_scopes: [...scopes],
  });
};

/** Copies a template with the content of its live version. The copy is a draft, like every new template. */
export const duplicateTemplate = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const original = await atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      return { template, version: await liveOrNewestVersion(tenant, tx, template) };
    });
    checkReading(principal);
    const allowance = await allowances.of(tenant.organizationId);

    const templateId = newId();
    const now = clock.now();
    const beginning = beginningOf(templateId, now);
    const author = authorOf(principal.actor);
    const origin = { operation_id: context.operationId, created_by: author, created_at: now };
    const made = {
      key: body.key,
      template: {
        ...original.template,
        ...origin,
        name: body.name,
        description: body.description === undefined ? original.template.description : body.description,
        ...beginning.template,
        settings_authors: withAuthors(authorsOfSettings(original.template), author),
      },
      version: {
        ...original.version,
        ...origin,
        ...beginning.version,
        authors: withAuthors(authorsOf(original.version), author),
      },
    };
    const { template, version } = await insertTemplateOnce(tenant, database, made, {
      allowance,
      // The entity of the version exists as long as the original does.
      check: async (tx) => {
        await storedTemplates.check(tenant, tx, allowance, context.operationId);
        await needTemplate(tenant, tx, original.template.id);
      },
      record: async (tx) => {
        const subject = { kind: 'template', id: templateId };
        const { name, type } = made.template;
        const changes = { name, type, version_id: made.version.id, duplicate_of: original.template.id };
        await audit(tx, outbox, context, { action: 'template.created', subject, changes, at: now });
      },
    });
    return { ...presentTemplate(template), version: presentVersion(version, null) };
  });
