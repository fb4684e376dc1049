import { z } from 'zod';

const secretSchema = z.object({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
  stringData: z.record(z.string(), z.string()),
});

const listSchema = z.object({
  apiVersion: z.literal('v1'),
  kind: z.literal('List'),
  items: z.array(secretSchema),
});

/** The Secrets of a cluster, as `kubectl apply` takes them. */
export type ClusterSecrets = z.output<typeof listSchema>;

/** Reads the output of `clusterSecrets`. */
export const readClusterSecrets = (text: string): ClusterSecrets => listSchema.parse(JSON.parse(text));
