import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aliasPlan, canonicalize } from './aliases.ts';
import { block, freeObject, id } from './resources/values.ts';

const schema = z.strictObject({
  template_id: z.string(),
  data: freeObject.optional(),
  blocks: z.array(block).optional(),
  items: z.array(z.object({ first_name: z.string() })).default([]),
});
const plan = aliasPlan(schema);

describe('legacy camelCase keys', () => {
  it('become canonical wherever the canonical key is declared, in lists too', () => {
    const result = canonicalize(plan, { templateId: 'a', items: [{ firstName: 'Ada' }] });
    expect(result.value).toEqual({ template_id: 'a', items: [{ first_name: 'Ada' }] });
    expect(result.used).toEqual(['templateId', 'firstName']);
  });

  it('are left alone inside free-form parts', () => {
    const input = { template_id: 'a', data: { templateId: 1 }, blocks: [{ type: 'x', templateId: 2 }] };
    expect(canonicalize(plan, input)).toEqual({ value: input, used: [], issues: [] });
  });

  it('may stand beside the canonical key with the same value', () => {
    expect(canonicalize(plan, { templateId: 'a', template_id: 'a' })).toMatchObject({
      value: { template_id: 'a' },
      issues: [],
    });
  });

  it('are an issue beside the canonical key with another value', () => {
    expect(canonicalize(plan, { templateId: 'a', template_id: 'b' }).issues).toEqual([
      expect.objectContaining({ path: ['template_id'] }),
    ]);
  });

  it('leave keys that nothing declares as they are, that of a prototype included', () => {
    const result = canonicalize(
      plan,
      JSON.parse('{"__proto__": {"a": 1}, "templateId": "a", "firstName": 1}'),
    );
    expect(JSON.stringify(result.value)).toBe('{"__proto__":{"a":1},"firstName":1,"template_id":"a"}');
  });

  it('Older spellings stay in a list of more items than it may have, which is refused as it is', () => {
    const pairs = aliasPlan(z.array(z.object({ first_name: z.string() })).max(2));
    const [fitting, long] = [2, 3].map((length) => Array.from({ length }, () => ({ firstName: 'Ada' })));
    expect(canonicalize(pairs, fitting).value).toEqual([{ first_name: 'Ada' }, { first_name: 'Ada' }]);
    expect(canonicalize(pairs, long)).toEqual({ value: long, used: [], issues: [] });
  });

  it('leave what is no object untouched', () => {
    for (const value of [null, 1, 'x', [], undefined]) expect(canonicalize(plan, value).value).toEqual(value);
  });
});

describe('an id in capitals', () => {
  const written = '01938C2E-7B1A-7C3D-9E4F-5A6B7C8D9E0F';
  const ids = aliasPlan(
    z.strictObject({ template_id: id, others: z.array(id).optional(), data: freeObject }),
  );

  it('is the same id, under either name and in lists', () => {
    const { value } = canonicalize(ids, { templateId: written, others: [written], data: {} });
    const small = written.toLowerCase();
    expect(value).toEqual({ template_id: small, others: [small], data: {} });
  });

  it('is the same id as in small letters under the other name', () => {
    const { value, issues } = canonicalize(ids, { templateId: written, template_id: written.toLowerCase() });
    expect({ value, issues }).toEqual({ value: { template_id: written.toLowerCase() }, issues: [] });
  });

  it('is text where the caller’s own data stands', () => {
    const input = { template_id: written.toLowerCase(), data: { template_id: written } };
    expect(canonicalize(ids, input).value).toEqual(input);
  });

  it('is an id whatever its version and variant', () => {
    expect(id.safeParse('01938c2e-7b1a-0c3d-0e4f-5a6b7c8d9e0f').success).toBe(true);
    expect(id.safeParse('01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0').success).toBe(false);
  });
});
