import { describe, expect, it } from '@jest/globals';
import { CodedError, type Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { cases } from '@stanza/test-kit/cases';
import { sharedByTests } from '@stanza/test-kit/shared';
import fc from 'fast-check';
import { acceptTemplateProposal } from './operations/accept-template-proposal.ts';
import { activateModalVersion } from './operations/activate-modal-version.ts';
import { activateTemplateVersion } from './operations/activate-template-version.ts';
import { appendModalVersion } from './operations/append-modal-version.ts';
import { appendTemplateVersion } from './operations/append-template-version.ts';
import { archiveTemplate } from './operations/archive-template.ts';
import { duplicateTemplate } from './operations/duplicate-template.ts';
import { proposeTemplateVersion } from './operations/propose-template-version.ts';
import { putTemplateDraft } from './operations/put-template-draft.ts';
import { saveTemplateDraft } from './operations/save-template-draft.ts';
import { unarchiveTemplate } from './operations/unarchive-template.ts';
import { updateModal } from './operations/update-modal.ts';
import { updateTemplate } from './operations/update-template.ts';
import { newModal } from './testing/modals.ts';
import { type Neighbours, neighboursOf, promote } from './testing/promotion.ts';
import { ask, newTemplate, openWorld, somebody } from './testing/world.ts';

const people = ['ada', 'grace', 'lin'] as const;
type Person = (typeof people)[number];
const policies = ['anyone', 'person', 'another_person', 'another_person', 'another_person'] as const;

const kinds = [
  'create',
  'append',
  'draft',
  'save',
  'set',
  'duplicate',
  'duplicate',
  'promote',
  'promote',
  'promote',
  'promote live',
  'propose',
  'accept',
  'activate',
  'activate',
  'activate',
  'archive',
  'unarchive',
  'create modal',
  'append modal',
  'name modal',
  'activate modal',
] as const;

interface Step {
  kind: (typeof kinds)[number];
  by: Person;
  /** A session of the console, a key of the person, or an agent with a session of theirs. */
  through: 'console' | 'key' | 'agent';
  environment: 'production' | 'preview';
  /** Which of the things that there are. */
  which: number;
  policy: (typeof policies)[number];
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...kinds),
    by: fc.constantFrom(...people),
    through: fc.constantFrom('console', 'console', 'console', 'key', 'agent'),
    environment: fc.constantFrom('production', 'production', 'preview'),
    which: fc.nat(3),
    policy: fc.constantFrom(...policies),
  }),
  { minLength: 8, maxLength: 30 },
);

describe('a text under the policy another_person', () => {
  const answers: Neighbours = { destinations: [], queues: [], breaking: [], guard_activation: false };
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));

  /** The history of one organization. */
  class History {
    readonly #organization = newId();
    readonly #ids = new Map(people.map((name) => [name, newId()]));
    /** Texts that someone else than their author has made live. */
    readonly #seen = new Set<string>();
    #live = new Set<string>();
    #written = 0;

    #principal({ by, through, environment }: Step): Principal {
      const user_id = this.#ids.get(by) ?? '';
      const person = somebody({ organization_id: this.#organization, environment });
      if (through === 'key') return { ...person, actor: { type: 'api_key', id: newId(), user_id } };
      const actor = { type: 'session' as const, id: by, user_id };
      return { ...person, actor, ...(through === 'agent' && { decides: false as const }) };
    }

    async #pick<Row extends object>(text: string, { environment, which }: Step): Promise<Row> {
      const rows = await world().rows<Row>(text, [this.#organization, environment]);
      const row = rows[which % Math.max(rows.length, 1)];
      if (!row) throw new CodedError('not_found');
      return row;
    }

    async #run(step: Step): Promise<unknown> {
      const by = this.#principal(step);
      this.#written += 1;
      const word = `w${this.#written}${step.by}`;
      const blocks = [{ type: 'section', text: { type: 'mrkdwn' as const, text: word } }];
      const where = 'where organization_id = $1 and environment = $2';
      const template = () =>
        this.#pick<{ id: string }>(`select id from templates ${where} order by id`, step);
      const modal = () => this.#pick<{ id: string }>(`select id from modals ${where} order by id`, step);
      const version = () =>
        this.#pick<{ id: string; version_id: string }>(
          `select template_id as id, id as version_id from versions ${where} order by id desc`,
          step,
        );
      switch (step.kind) {
        case 'create':
          return newTemplate(world(), by, {
            name: word,
            blocks,
            ...(step.which === 0 && { user_name: `n${word}` }),
          });
        case 'append':
          return ask(appendTemplateVersion(world()), { params: await template(), body: { blocks } }, by);
        case 'draft': {
          const body = {
            blocks,
            metadata: { user_name: `d${word}` },
            sample_data: null,
            base_version_id: null,
          };
          return ask(putTemplateDraft(world()), { params: await template(), body }, by);
        }
        case 'save':
          return ask(saveTemplateDraft(world()), { params: await template(), body: {} }, by);
        case 'set':
          return ask(
            updateTemplate(world()),
            { params: await template(), body: { user_name: `s${word}` } },
            by,
          );
        case 'duplicate':
          return ask(duplicateTemplate(world()), { params: await template(), body: { name: word } }, by);
        case 'promote':
        case 'promote live': {
          const from = step.environment === 'production' ? 'preview' : 'production';
          const { key } = await this.#pick<{ key: string }>(
            `select key from template_keys ${where} order by key`,
            { ...step, environment: from },
          );
          const source = this.#principal({ ...step, environment: from });
          return promote(world(), by, { keys: [key], activate: step.kind === 'promote live' }, source);
        }
        case 'propose': {
          const { id, version_id } = await version();
          return ask(proposeTemplateVersion(world()), { params: { id }, body: { version_id } }, by);
        }
        case 'accept': {
          const params = await this.#pick<{ id: string; proposal_id: string }>(
            `select template_id as id, id as proposal_id from template_proposals ${where} order by id desc`,
            step,
          );
          return ask(acceptTemplateProposal(world()), { params, body: {} }, by);
        }
        case 'activate':
          return ask(activateTemplateVersion(world()), { params: await version(), body: {} }, by);
        case 'archive':
          return ask(archiveTemplate(world()), { params: await template() }, by);
        case 'unarchive':
          return ask(unarchiveTemplate(world()), { params: await template() }, by);
        case 'create modal':
          return newModal(world(), by, { title: word, blocks, activate: step.which === 0 });
        case 'append modal': {
          const body = { blocks, sample_data: {}, activate: step.which === 0 };
          return ask(appendModalVersion(world()), { params: await modal(), body }, by);
        }
        case 'name modal':
          return ask(updateModal(world()), { params: await modal(), body: { title: `t${word}` } }, by);
        case 'activate modal': {
          const params = await this.#pick<{ id: string; version_id: string }>(
            `select modal_id as id, id as version_id from modal_versions ${where} order by id desc`,
            step,
          );
          return ask(activateModalVersion(world()), { params }, by);
        }
      }
    }

    /** Every text that a reader may see now, with the environment. */
    async #readLive(): Promise<Set<string>> {
      const rows = await world().rows<{ environment: string; text: string }>(
        `select t.environment, concat(v.blocks, ' ', t.user_name) as text
         from templates t join versions v on v.id = t.current_version_id
         where t.organization_id = $1 and t.archived_at is null
         union all
         select m.environment, concat(v.blocks, ' ', m.title)
         from modals m join modal_versions v on v.id = m.current_version_id
         where m.organization_id = $1`,
        [this.#organization],
      );
      return new Set(
        rows.flatMap(({ environment, text }) =>
          [...text.matchAll(/[a-z]?w\d+(?:ada|grace|lin)/g)].map(([word]) => `${environment} ${word}`),
        ),
      );
    }

    /** Makes a step; returns the texts that became live by it alone. */
    async make(step: Step): Promise<string[]> {
      answers.activation = step.policy;
      await this.#run(step).catch((error: unknown) => {
        if (!(error instanceof CodedError)) throw error;
      });
      const live = await this.#readLive();
      const alone: string[] = [];
      for (const text of live) {
        if (this.#live.has(text)) continue;
        const [, word = ''] = text.split(' ');
        if (!word.endsWith(step.by)) this.#seen.add(word);
        else if (step.policy === 'another_person' && !this.#seen.has(word)) alone.push(text);
        if (step.policy !== 'anyone' && step.through !== 'console') alone.push(`${text} by no person`);
      }
      this.#live = live;
      return alone;
    }

    /** How many texts someone else than their author has made live. */
    get approved(): number {
      return this.#seen.size;
    }
  }

  it('never becomes live by its author alone, nor by a key or an agent, in whatever way', async () => {
    let approved = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (made) => {
        const history = new History();
        for (const step of made) expect(await history.make(step)).toEqual([]);
        approved += history.approved;
      }),
      { numRuns: cases(300, 60) },
    );
    // The histories that nothing was made live in show nothing.
    expect(approved).toBeGreaterThan(0);
  });
});
