import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const dependency = z.object({ condition: z.string() });

const serviceSchema = z.object({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  restart: z.string().optional(),
  container_name: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  mem_limit: z.string().optional(),
  stop_grace_period: z.string().optional(),
  ports: z.array(z.string()).default([]),
  networks: z.unknown().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), dependency).default({}),
});

/** A service as the file has it, with its variables filled in. */
export type ComposeService = z.output<typeof serviceSchema>;

const fileSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
});

/** Fills in defaults of unset variables: `${NAME:-value}` and `${NAME-value}` become the value. */
const withDefaults = (_key: unknown, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/\$\{[A-Z_]+:?-([^}]*)\}/g, '$1') : value;

/** Top of the checkout. */
export const checkout = join(import.meta.dirname, '../../..');

/** What the composition lies in, at the top of the checkout. */
export const composeFileName = 'docker-compose.yml';

/** docker-compose.yml as it is where nothing is set. */
export const composeFile = (): z.output<typeof fileSchema> => {
  const text = readFileSync(join(checkout, composeFileName), 'utf8');
  return fileSchema.parse(parse(text, withDefaults, { merge: true }));
};
