import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Block, CodedError, matchDestinations, type Principal } from '@stanza/contracts';
import { handle, newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newModal } from '../testing/modals.ts';
import { ask, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { acceptTemplateProposal } from './accept-template-proposal.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { checkReferences } from './check-references.ts';
import { deleteModal } from './delete-modal.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';
import { putTemplateDraft } from './put-template-draft.ts';
import { saveTemplateDraft } from './save-template-draft.ts';

const withButton = (...interaction: object[]): Block[] => [
  {
    type: 'actions',
    id: 'buttons',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, interaction }],
  },
];
const openModal = (modal_id: string) => ({ type: 'open_modal', modal_id });
const callDestination = (destination_id: string) => ({ type: 'call_destination', destination_id });

describe('a modal or destination that a version names', () => {
  const world = sharedByTests(() =>
    openWorld([
      handle(matchDestinations, async ({ input: { ids } }) => {
        if (isAway) throw new CodedError('service_unavailable');
        const found = ids.filter((id) => destinations.has(id));
        return { matches: found.map((id) => ({ id, key: 'hook', match: id })) };
      }),
    ]),
  );
  let me: Principal;
  /** Destinations that exist, of every tenant. */
  const destinations = new Set<string>();
  let isAway = false;
  beforeEach(() => {
    me = somebody();
    isAway = false;
  });

  /** Every way to make a version, of a template that is there. */
  const ways: [string, (id: string, blocks: Block[]) => Promise<unknown>][] = [
    ['create', (_, blocks) => newTemplate(world(), me, { blocks })],
    ['append', (id, blocks) => ask(appendTemplateVersion(world()), { params: { id }, body: { blocks } }, me)],
    [
      'propose',
      (id, blocks) => ask(proposeTemplateVersion(world()), { params: { id }, body: { blocks } }, me),
    ],
    [
      'save a draft',
      async (id, blocks) => {
        const body = { metadata: {}, sample_data: null, base_version_id: null, blocks };
        await ask(putTemplateDraft(world()), { params: { id }, body }, me);
        return ask(saveTemplateDraft(world()), { params: { id }, body: {} }, me);
      },
    ],
  ];

  const problemsOf = async (made: Promise<unknown>): Promise<unknown> => {
    const error = await made.then(
      () => undefined,
      (err: unknown) => err,
    );
    if (!(error instanceof CodedError)) throw new Error('was not refused', { cause: error });
    expect(error.code).toBe('compilation_failed');
    return JSON.parse(error.facts.error_details ?? '');
  };

  it.each(ways)('is refused where the environment does not have it, with its place: %s', async (_, make) => {
    const { id } = await newTemplate(world(), me);
    const foreign = await newModal(world(), somebody());
    const preview: Principal = { ...me, environment: 'preview' };
    const elsewhere = await newModal(world(), preview);
    const blocks = withButton(
      openModal(foreign.id),
      openModal(elsewhere.id),
      callDestination(newId()),
      openModal('refund'),
    );
    const at = '/blocks/0/elements/0/interaction';
    const rule = 'reference.unknown';
    expect(await problemsOf(make(id, blocks))).toEqual([
      {
        pointer: `${at}/0/modal_id`,
        rule,
        message: 'There is no modal of this id in the production environment.',
        hint: 'GET /v1/modals lists them.',
      },
      expect.objectContaining({ pointer: `${at}/1/modal_id`, rule }),
      {
        pointer: `${at}/2/destination_id`,
        rule,
        message: 'There is no destination of this id in the production environment.',
        hint: 'GET /v1/destinations lists them.',
      },
      expect.objectContaining({ pointer: `${at}/3/modal_id`, rule }),
    ]);
  });

  it.each(ways)('is taken where the environment has it: %s', async (_, make) => {
    const { id } = await newTemplate(world(), me);
    const modal = await newModal(world(), me);
    const destination = newId();
    destinations.add(destination);
    await make(id, withButton(openModal(modal.id.toUpperCase()), callDestination(destination)));
  });

  it.each(ways)('may come from data, which is read when the button is used: %s', async (_, make) => {
    const { id } = await newTemplate(world(), me);
    await make(id, withButton(openModal('{{form}}'), callDestination('{{hook}}')));
  });

  it.each(ways)('is told beside the other problems: %s', async (_, make) => {
    const { id } = await newTemplate(world(), me);
    const blocks = [...withButton(openModal(newId())), { type: 'sektion' }];
    expect(await problemsOf(make(id, blocks))).toMatchObject([
      { rule: 'type.unknown' },
      { rule: 'reference.unknown' },
    ]);
  });

  it.each(ways)(
    'is not taken unseen: a destination that cannot be looked up is 503 on %s',
    async (_, make) => {
      const { id } = await newTemplate(world(), me);
      isAway = true;
      await expect(make(id, withButton(callDestination(newId())))).rejects.toMatchObject({
        code: 'service_unavailable',
      });
      await make(id, greeting);
    },
  );

  it('is found in the blocks of an updated message', async () => {
    const inner = withButton(openModal(newId()));
    const update = { type: 'update_message', strategy: 'replace_all', blocks: inner };
    expect(await problemsOf(newTemplate(world(), me, { blocks: withButton(update) }))).toMatchObject([
      { pointer: '/blocks/0/elements/0/interaction/0/blocks/0/elements/0/interaction/0/modal_id' },
    ]);
  });

  it('is unknown too where its id has none of the versions of a UUID', async () => {
    const id = '00000000-0000-0000-0000-00000000000a';
    const blocks = withButton(openModal(id), callDestination(id));
    expect(await problemsOf(newTemplate(world(), me, { blocks }))).toMatchObject([
      { rule: 'reference.unknown' },
      { rule: 'reference.unknown' },
    ]);
  });

  describe('and that is gone by then', () => {
    /** A template with a version whose modal was deleted, and one that names nothing. */
    const withoutModal = async () => {
      const modal = await newModal(world(), me);
      const { id, version } = await newTemplate(world(), me, { blocks: withButton(openModal(modal.id)) });
      await ask(deleteModal(world()), { params: { id: modal.id } }, me);
      return { id, versionId: version.id };
    };
    const activate = (id: string, version_id: string) =>
      ask(activateTemplateVersion(world()), { params: { id, version_id }, body: {} }, me);

    it('keeps its version from being made live', async () => {
      const { id, versionId } = await withoutModal();
      expect(await problemsOf(activate(id, versionId))).toMatchObject([{ rule: 'reference.unknown' }]);
      const { data } = await ask(
        listTemplateVersions(world()),
        { params: { id }, query: { limit: 20, offset: 0 } },
        me,
      );
      expect(data).toMatchObject([{ is_current: false }]);
    });

    it('keeps a version of an earlier release that the platform refuses from being made live', async () => {
      const { id, version } = await newTemplate(world(), me);
      const blocks = JSON.stringify([{ type: 'image', image_url: 'javascript:alert(1)', alt_text: 'x' }]);
      await world().rows('update versions set blocks = $2 where id = $1', [version.id, blocks]);
      expect(await problemsOf(activate(id, version.id))).toMatchObject([{ rule: 'value.form' }]);
    });

    it('keeps a proposal of its version from being accepted', async () => {
      const { id, versionId } = await withoutModal();
      const { id: proposal_id } = await ask(
        proposeTemplateVersion(world()),
        { params: { id }, body: { version_id: versionId } },
        me,
      );
      const accepted = ask(acceptTemplateProposal(world()), { params: { id, proposal_id }, body: {} }, me);
      expect(await problemsOf(accepted)).toMatchObject([{ rule: 'reference.unknown' }]);
    });

    it('keeps no version from going live that does not name it', async () => {
      const { id } = await withoutModal();
      const second = await ask(
        appendTemplateVersion(world()),
        { params: { id }, body: { blocks: greeting } },
        me,
      );
      expect(await activate(id, second.id)).toMatchObject({ is_current: true });
    });

    it('makes the version wait where destinations cannot be looked up', async () => {
      const destination = newId();
      destinations.add(destination);
      const blocks = withButton(callDestination(destination));
      const { id, version } = await newTemplate(world(), me, { blocks });
      isAway = true;
      await expect(activate(id, version.id)).rejects.toMatchObject({ code: 'service_unavailable' });
      isAway = false;
      expect(await activate(id, version.id)).toMatchObject({ is_current: true });
    });
  });

  it('is looked up for others by check-references, in the tenant that they name', async () => {
    const modal = await newModal(world(), me);
    const { organization_id, environment } = me;
    const blocks = withButton(openModal(modal.id), openModal(newId()));
    const input = { organization_id, environment, blocks };
    const pointer = '/blocks/0/elements/0/interaction/1/modal_id';
    const context = newContext({ deadlineMs: 5_000 });
    expect(await ask(checkReferences(world()), input, me, context)).toMatchObject({
      problems: [{ pointer }],
    });
  });
});
