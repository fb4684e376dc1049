import { beforeEach, describe, expect, it } from '@jest/globals';
import { logPlaceText, type Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { walked } from '@stanza/test-kit/walked';
import { askWhy, newModal } from '../testing/modals.ts';
import { newPartial } from '../testing/partials.ts';
import { type Colleagues, colleagues, organizationWith } from '../testing/policies.ts';
import { ask, greeting, newTemplate, openWorld } from '../testing/world.ts';
import { activatePartialVersion } from './activate-partial-version.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { appendPartialVersion } from './append-partial-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { listModalVersions } from './list-modal-versions.ts';
import { listPartialActivations } from './list-partial-activations.ts';
import { listPartialVersions } from './list-partial-versions.ts';
import { listProposals } from './list-proposals.ts';
import { listTemplateActivations } from './list-template-activations.ts';
import { listTemplateProposals } from './list-template-proposals.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';

type Query = { limit: number; offset: number; cursor?: string };
type Listed = {
  data: { id: string }[];
  pagination: { total: number };
  next_cursor?: string | null | undefined;
};

/** A list, and what adds a row at its beginning. */
interface Growing {
  list: (query: Query) => Promise<Listed>;
  add: () => Promise<unknown>;
}

describe('while new ones come, no page repeats or leaves out', () => {
  const world = sharedByTests(() => openWorld([organizationWith({ activation: 'anyone' })]));
  let us: Colleagues;
  let by: Principal;
  beforeEach(() => {
    us = colleagues();
    by = us.key;
  });

  const walksOn = async ({ list, add }: Growing) => {
    for (let count = 0; count < 2; count += 1) await add();
    const all = await list({ limit: 100, offset: 0 });
    expect(all).toMatchObject({ next_cursor: null, pagination: { total: all.data.length } });
    expect(all.data.length).toBeGreaterThan(1);
    const seen = await walked(list, add);
    expect(seen.map(({ id }) => id)).toEqual(all.data.map(({ id }) => id));
    const begun = await list({ limit: 1, offset: 0 });
    const rest = await list({ limit: 100, offset: 0, cursor: String(begun.next_cursor) });
    expect(rest.pagination.total).toBe(rest.data.length);
    const elsewhere = logPlaceText({ at: new Date(9_999_999_999_999), id: newId() });
    const fromElsewhere = await list({ limit: 100, offset: 0, cursor: elsewhere });
    expect(fromElsewhere.data[0]).toMatchObject({ id: begun.data[0]?.id });
  };

  const ofTemplate = async () => {
    const { id } = await newTemplate(world(), by);
    const append = () =>
      ask(appendTemplateVersion(world()), { params: { id }, body: { blocks: greeting } }, by);
    return { id, append };
  };

  it('the versions of a template', async () => {
    const { id, append } = await ofTemplate();
    await walksOn({
      list: (query) => ask(listTemplateVersions(world()), { params: { id }, query }, by),
      add: append,
    });
  });

  it('the activations of a template', async () => {
    const { id, append } = await ofTemplate();
    await walksOn({
      list: (query) => ask(listTemplateActivations(world()), { params: { id }, query }, by),
      add: async () =>
        ask(
          activateTemplateVersion(world()),
          { params: { id, version_id: (await append()).id }, body: {} },
          us.grace,
        ),
    });
  });

  it('the versions of a partial', async () => {
    const { id } = await newPartial(world(), by, { key: 'footer' });
    await walksOn({
      list: (query) => ask(listPartialVersions(world()), { params: { id }, query }, by),
      add: () => ask(appendPartialVersion(world()), { params: { id }, body: { blocks: greeting } }, by),
    });
  });

  it('the activations of a partial', async () => {
    const { id } = await newPartial(world(), by, { key: 'footer' });
    const append = () =>
      ask(appendPartialVersion(world()), { params: { id }, body: { blocks: greeting } }, by);
    await walksOn({
      list: (query) => ask(listPartialActivations(world()), { params: { id }, query }, by),
      add: async () =>
        ask(
          activatePartialVersion(world()),
          { params: { id, version_id: (await append()).id }, body: {} },
          us.grace,
        ),
    });
  });

  it('the versions of a modal', async () => {
    const { id } = await newModal(world(), by);
    const body = { blocks: askWhy, sample_data: {}, activate: false };
    await walksOn({
      list: (query) => ask(listModalVersions(world()), { params: { id }, query }, by),
      add: () => ask(appendModalVersion(world()), { params: { id }, body }, by),
    });
  });

  it.each(['of a template', 'of all templates'])('the proposals %s', async (whose) => {
    const { id, append } = await ofTemplate();
    await walksOn({
      list: (query) =>
        whose === 'of a template'
          ? ask(listTemplateProposals(world()), { params: { id }, query }, by)
          : ask(listProposals(world()), { query }, by),
      add: async () =>
        ask(
          proposeTemplateVersion(world()),
          { params: { id }, body: { version_id: (await append()).id } },
          by,
        ),
    });
  });
});
