import { renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from './failure.ts';

/** A key of each kind for tests and people, with every scope of its role. */
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

/** The facts of a running stack in `stack.json`. All secrets in it belong to the demo. */
export const stackInfoSchema = z.object({
  base_url: z.string().describe('address of the API, without /v1'),
  sandbox_url: z.string().describe('the stand-in of the chat platform, and its page'),
  identity_url: z.string().describe('the stand-in of an identity provider, which issues session tokens'),
  identity_secret: z.string().describe('the secret of a request for a session token'),
  database_url: z.string().describe('the database, for its owner'),
  nats_url: z.string().describe('the broker, for the operator'),
  metrics: z
    .record(z.string(), z.string())
    .describe('address of the metrics by process; by service where one process runs several'),
  pids: z.record(z.string(), z.int()).describe('current process number by process'),
  organizations: z.array(demoOrganizationSchema),
});

/** See {@link stackInfoSchema}. */
export type StackInfo = z.output<typeof stackInfoSchema>;

/** Writes `stack.json` atomically: readers see the old file or the new one. */
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

/** Deletes `stack.json`. */
export const removeInfo = (file: string): Promise<void> => rm(file, { force: true });
