import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { read, root } from './files.ts';

const text = z.string().min(1);
const question = { label: text, description: text.optional() };
const validations = z.strictObject({ required: z.boolean() }).optional();
const id = z.string().regex(/^[\w-]+$/);

/** The elements of issue forms, as GitHub documents them. */
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    type: z.enum(['input', 'textarea']),
    id,
    attributes: z.strictObject({
      ...question,
      placeholder: text.optional(),
      value: text.optional(),
      render: text.optional(),
    }),
    validations,
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id,
    attributes: z.strictObject({
      ...question,
      multiple: z.boolean().optional(),
      options: z.array(text).min(1),
    }),
    validations,
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id,
    attributes: z.strictObject({
      ...question,
      options: z.array(z.strictObject({ label: text, required: z.boolean().optional() })).min(1),
    }),
  }),
]);

const form = z
  .strictObject({ name: text, description: text, labels: z.array(text), body: z.array(element).min(1) })
  .refine(({ body }) => body.some(({ type }) => type !== 'markdown'), 'asks nothing')
  .refine(({ body }) => {
    const ids = body.flatMap((it) => ('id' in it ? [it.id] : []));
    return new Set(ids).size === ids.length;
  }, 'has an id twice');

const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter(
  (it) => !it.endsWith('config.yml'),
);

const updates = z.strictObject({
  version: z.literal(2),
  updates: z.array(
    z.strictObject({
      'package-ecosystem': z.enum(['npm', 'github-actions', 'docker', 'docker-compose']),
      directory: z.string().startsWith('/'),
      schedule: z.strictObject({ interval: z.enum(['daily', 'weekly', 'monthly']) }),
      'open-pull-requests-limit': z.int().positive().optional(),
      groups: z
        .record(
          z.string(),
          z.strictObject({
            'dependency-type': z.enum(['development', 'production']).optional(),
            'update-types': z.array(z.enum(['major', 'minor', 'patch'])).optional(),
            patterns: z.array(text).optional(),
          }),
        )
        .optional(),
    }),
  ),
});

/** The file by which each kind of dependency is known in its folder. */
const manifestOf = {
  npm: 'package.json',
  'github-actions': '.github/workflows',
  docker: 'Dockerfile',
  'docker-compose': 'docker-compose.yml',
};

describe('the forms of issues', () => {
  it.each(forms)('%s has the shape of a form', (file) => {
    expect(form.safeParse(parse(read(file))).error?.issues).toBeUndefined();
  });

  it('are those for a bug and for a feature', () => {
    expect(forms.map((it) => it.split('/').at(-1)).sort()).toEqual(['bug.yml', 'feature.yml']);
  });

  it.each([
    ['an element without a question', { type: 'input', id: 'a', attributes: {} }],
    ['an unknown element', { type: 'slider', id: 'a', attributes: { label: 'A' } }],
    ['only explanations', { type: 'markdown', attributes: { value: 'A' } }],
  ])('with %s are refused', (_, wrong) => {
    expect(form.safeParse({ name: 'A', description: 'A', labels: [], body: [wrong] }).success).toBe(false);
  });

  it('have a config that lets other issues in', () => {
    const config = z.strictObject({ blank_issues_enabled: z.boolean() });
    expect(config.parse(parse(read('.github/ISSUE_TEMPLATE/config.yml')))).toEqual({
      blank_issues_enabled: true,
    });
  });
});

describe('dependabot', () => {
  it('looks after every kind of dependency, where it is', () => {
    const found = updates.parse(parse(read('.github/dependabot.yml'))).updates;
    expect(found.map((it) => it['package-ecosystem']).sort()).toEqual(Object.keys(manifestOf).sort());
    const missing = found
      .map((it) => join(it.directory.slice(1), manifestOf[it['package-ecosystem']]))
      .filter((file) => !existsSync(join(root, file)));
    expect(missing).toEqual([]);
  });
});
