import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { activationGuards } from '../resources/activation-guards.ts';
import { entityKey, isOneEntityAtMost } from '../resources/entity-reference.ts';
import { proposalStatuses, templateProposal } from '../resources/proposal.ts';
import { beginsOnce, blocks, freeObject, growingListOf, growingQuery, id } from '../resources/values.ts';

const byTemplate = z.strictObject({ id });
const byProposal = z.strictObject({ id, proposal_id: id });

const statusQuery = z.enum(proposalStatuses).optional().describe('those with this status');

const given = ['version_id', 'blocks'] as const;

/** Proposes to make a version live. */
export const proposeTemplateVersion = httpOperation({
  id: 'propose-template-version',
  service: 'template',
  summary: 'Propose to make a version live',
  description:
    'Takes exactly one of `version_id` and `blocks`, which become the next version. Nothing is live until it is accepted. A version has one open proposal: the same proposer gets it again. An open proposal of the same proposer for another version of the template becomes `superseded`.',
  method: 'POST',
  path: '/templates/{id}/proposals',
  access: 'templates:update',
  idempotent: true,
  authoring: true,
  status: 201,
  params: byTemplate,
  body: z
    .strictObject({
      version_id: id.optional().describe('a version of the template'),
      blocks: blocks.optional(),
      sample_data: freeObject.optional().describe('with `blocks`'),
      entity_id: id.nullable().optional().describe('with `blocks`: the entity that describes its data'),
      entity_key: entityKey,
      note: z.string().max(limits.note).nullable().optional().describe('what is new, for who decides'),
    })
    .superRefine(isOneEntityAtMost)
    .superRefine((body, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (given.filter((name) => body[name] !== undefined).length !== 1) {
        refuse('version_id', 'give exactly one of version_id and blocks');
      }
      for (const name of ['sample_data', 'entity_id', 'entity_key'] as const) {
        if (body.blocks === undefined && body[name] !== undefined) {
          refuse(name, 'belongs to blocks; a version has its own');
        }
      }
    })
    .meta({ oneOf: given.map((name) => ({ required: [name] })) }),
  reply: templateProposal,
  errors: [
    'template_not_found',
    'version_not_found',
    'entity_not_found',
    'compilation_failed',
    'already_exists',
    'invalid_state',
    'tier_limit',
  ],
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }],
    note: 'shorter header',
  },
});

/** Lists the proposals of a template. */
export const listTemplateProposals = httpOperation({
  id: 'list-template-proposals',
  service: 'template',
  summary: 'List the proposals of a template, newest first',
  method: 'GET',
  path: '/templates/{id}/proposals',
  access: 'templates:read',
  params: byTemplate,
  query: growingQuery.extend({ status: statusQuery }).superRefine(beginsOnce),
  reply: growingListOf(templateProposal),
  errors: ['template_not_found'],
});

/** Lists the proposals of an environment. */
export const listProposals = httpOperation({
  id: 'list-proposals',
  service: 'template',
  summary: 'List the proposals of all templates, newest first',
  method: 'GET',
  path: '/proposals',
  access: 'templates:read',
  query: growingQuery.extend({ status: statusQuery }).superRefine(beginsOnce),
  reply: growingListOf(templateProposal),
});

/** Reads one proposal. */
export const getTemplateProposal = httpOperation({
  id: 'get-template-proposal',
  service: 'template',
  summary: 'Read a proposal, and what became of it',
  method: 'GET',
  path: '/templates/{id}/proposals/{proposal_id}',
  access: 'templates:read',
  params: byProposal,
  reply: templateProposal,
  errors: ['template_not_found', 'not_found'],
});

/** Accepts a proposal: its version becomes the live one. */
export const acceptTemplateProposal = httpOperation({
  id: 'accept-template-proposal',
  service: 'template',
  summary: 'Accept a proposal: make its version live',
  description:
    'Guarded as every activation, and by the policy `activation` of the organization. Where another version is live than when it was proposed, 409 current_version_changed, unless `expected_current_version_id` names that one. Accepting it again changes nothing.',
  method: 'POST',
  path: '/templates/{id}/proposals/{proposal_id}/accept',
  access: 'templates:activate',
  authoring: true,
  deadlineMs: 12_000,
  params: byProposal,
  body: z.strictObject(activationGuards).default({}),
  reply: templateProposal,
  errors: [
    'template_not_found',
    'not_found',
    'current_version_changed',
    'activation_breaks',
    'activation_refused',
    'compilation_failed',
    'invalid_state',
  ],
  example: { note: 'looks right' },
});

/** Declines a proposal. */
export const declineTemplateProposal = httpOperation({
  id: 'decline-template-proposal',
  service: 'template',
  summary: 'Decline a proposal, with a reason',
  description:
    'Its version stays, and can be proposed again. Under the policies `person` and `another_person` a session declines, and no key. Declining it again changes nothing.',
  method: 'POST',
  path: '/templates/{id}/proposals/{proposal_id}/decline',
  access: 'templates:activate',
  params: byProposal,
  body: z.strictObject({
    reason: z.string().min(1).max(limits.note).regex(/\S/, 'must hold more than white space'),
  }),
  reply: templateProposal,
  errors: ['template_not_found', 'not_found', 'invalid_state', 'activation_refused'],
  example: { reason: 'The amount is missing.' },
});

/** Withdraws a proposal of the caller's own. */
export const withdrawTemplateProposal = httpOperation({
  id: 'withdraw-template-proposal',
  service: 'template',
  summary: 'Withdraw a proposal of your own',
  description: 'Only the proposer can withdraw a proposal. A second withdrawal changes nothing.',
  method: 'POST',
  path: '/templates/{id}/proposals/{proposal_id}/withdraw',
  access: 'templates:update',
  params: byProposal,
  reply: templateProposal,
  errors: ['template_not_found', 'not_found', 'invalid_state'],
});
