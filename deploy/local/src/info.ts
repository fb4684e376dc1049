import { renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from './failure.ts';

/** A key of each kind that tests and people need; each has every scope that its role allows. */
export const demoKeysSchema = z.object({
  owner: z.string(),
  admin: z.string(),
  member: z.string(),
  viewer: z.string(),
  /** An admin's key of the preview environment; the others are of production. */
  preview: z.string(),
  /** A key without any scope. */
  unscoped: z.string(),
});

/** A demo organization and its keys. */
export const demoOrganizationSchema = z.object({ id: z.string(), name: z.string(), keys: demoKeysSchema });

/** See {@link demoOrganizationSchema}. */
export type DemoOrganization = z.output<typeof demoOrganizationSchema>;

/** What scripts learn of a running stack from `stack.json`. All secrets in it are the demo's. */
export const stackInfoSchema = z.object({
  base_url: z.string().describe('where the API answers, without /v1'),
  sandbox_url: z.string().describe('the stand-in of the chat platform, and its page'),
  identity_url: z.string().describe('the stand-in of an identity provider, which makes session tokens'),
  identity_secret: z.string().describe('what a request for a session token shows it'),
  database_url: z.string().describe('the database, for its owner'),
  nats_url: z.string().describe('the broker, for the operator'),
  metrics: z.record(z.string(), z.string()).describe('address of the metrics by process'),
  pids: z.record(z.string(), z.int()).describe('process number by process, as of now'),
  organizations: z.array(demoOrganizationSchema),
});

/** See {@link stackInfoSchema}. */
export type StackInfo = z.output<typeof stackInfoSchema>;

/** Publishes what is known of a running stack; readers see the old file or the new one, never half of one. */
export const writeInfo = (file: string, info: StackInfo): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** Reads `stack.json`; undefined when there is none. */
export const readInfo = async (file: string): Promise<StackInfo | undefined> => {
  try {
    return stackInfoSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Withdraws `stack.json`. */
export const removeInfo = (file: string): Promise<void> => rm(file, { force: true });
