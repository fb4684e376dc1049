import { describe, expect, it } from '@jest/globals';
import { asOwner } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { contents } from '../domain/content-bytes.ts';
import { countStoredTemplates } from '../operations/count-stored-templates.ts';
import { createSampleData } from '../operations/create-sample-data.ts';
import { putTemplateDraft } from '../operations/put-template-draft.ts';
import { updateModal } from '../operations/update-modal.ts';
import { askWhy, newModal } from '../testing/modals.ts';
import { ask, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';

/** More than one write counts for those from before. */
const samples = 300;

describe('contents that are older than the count of their bytes', () => {
  const world = sharedByTests(openWorld);

  const writeAll = async (by: ReturnType<typeof somebody>): Promise<void> => {
    const template = await newTemplate(world(), by);
    const modal = await newModal(world(), by);
    const draft = { blocks: greeting, metadata: { name: 'One' }, sample_data: {}, base_version_id: null };
    await ask(putTemplateDraft(world()), { params: { id: template.id }, body: draft }, by);
    const steps = [{ title: 'Next', blocks: askWhy }];
    await ask(updateModal(world()), { params: { id: modal.id }, body: { steps } }, by);
    await world().rows(
      `insert into sample_data (organization_id, environment, id, operation_id, name, data, created_by, created_at,
         updated_at)
       select $1, case n % 2 when 0 then 'preview' else 'production' end, gen_random_uuid(), gen_random_uuid(),
         'Sample ' || n, '{"a":1}', 'ada', now(), now()
       from generate_series(1, $2) as n`,
      [by.organization_id, samples],
    );
  };

  /** Forgets the bytes of all rows, as in rows that are older than their count. */
  const forgetBytes = () =>
    asOwner('template', world().ownerUrl, async (runner) => {
      for (const { table } of contents) {
        await runner.query(`alter table ${table} disable trigger ${table}_bytes`);
        await runner.query(`update ${table} set bytes = null`);
        await runner.query(`alter table ${table} enable trigger ${table}_bytes`);
      }
    });

  it('are measured, and counted a few at a time by the writes beside them', async () => {
    const by = somebody();
    const { organization_id } = by;
    const stored = async () => (await ask(countStoredTemplates(world()), { organization_id })).bytes;
    const older = async () => {
      const counts = contents.map(async ({ table }) => {
        const sql = `select from ${table} where organization_id = $1 and bytes is null`;
        return (await world().rows(sql, [organization_id])).length;
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    const write = () => ask(createSampleData(world()), { body: { name: 'One', data: {} } }, by);

    await writeAll(by);
    expect(await older()).toBe(0);
    const before = await stored();
    expect(before).toBeGreaterThan(samples * '{"a":1}'.length);
    await forgetBytes();
    expect(await older()).toBe(samples + 4);
    expect(await stored()).toBe(before);

    await write();
    expect(await older()).toBe(100);
    expect(await stored()).toBe(before + '{}'.length);
    await write();
    expect(await older()).toBe(0);
    expect(await stored()).toBe(before + 2 * '{}'.length);
  });
});
