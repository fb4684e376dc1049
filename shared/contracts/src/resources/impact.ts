import { z } from 'zod';
import { scopeSchema } from '../scopes.ts';
import { creditOperations } from './credits.ts';
import { batchStatuses } from './queue.ts';
import { id, timestamp } from './values.ts';

const some = 'the first ten';

/** What uses a template; what the caller may not list is named by its id. */
export const templateUse = z
  .object({
    template_id: id,
    queues: z
      .array(z.object({ id, name: z.string() }))
      .describe(`active queues that make digests of it; ${some}`),
    batches: z
      .array(z.object({ id, status: z.enum(batchStatuses), queue: z.object({ id, name: z.string() }) }))
      .describe(`batches that are not delivered yet; ${some}`),
    schedules: z.array(z.object({ id, timing: z.string() })).describe(`scheduled messages to come; ${some}`),
    modals: z
      .array(z.object({ id, name: z.string() }))
      .describe(`modals that its live version opens; ${some}`),
    callers: z
      .array(
        z.object({
          actor_id: z.string().describe('the key, the session, or the queue or schedule by its kind and id'),
          name: z.string().nullable().describe('of a key; its id for who may not list keys'),
          operation: z.enum(creditOperations),
          count: z.int().describe('compiles or messages that were charged'),
          last_at: timestamp,
        }),
      )
      .describe('what compiled or sent it since `since`, the most first; the first hundred'),
    since: timestamp,
  })
  .meta({ id: 'TemplateUse' });

/** See {@link templateUse}. */
export type TemplateUse = z.output<typeof templateUse>;

/** What a version makes of data, from harmless to broken. */
export const dataEffects = ['same', 'changed', 'warning', 'breaks'] as const;

/** Where stored data comes from. */
export const impactSources = ['version_sample', 'sample_data', 'schedule', 'batch'] as const;

/** The effect of a version on one piece of stored data. */
export const dataImpact = z
  .object({
    source: z
      .enum(impactSources)
      .describe(
        'the sample data of the live version, saved sample data, a scheduled message, the events of a batch',
      ),
    id: id.describe('of the version, the sample data, the schedule or the batch'),
    name: z.string().describe('the name of the sample data or of the queue, or the times of the schedule'),
    owner: z.string().nullable().describe('who made it; null for a batch'),
    effect: z
      .enum(dataEffects)
      .describe(
        'breaks: refused, or nothing is left to send; warning: a preview of it has warnings, such as a missing value or a text that is cut',
      ),
    problems: z
      .array(z.object({ pointer: z.string(), rule: z.string(), message: z.string() }))
      .describe('the first five problems or warnings, missing values before other warnings'),
    problem_count: z.int(),
  })
  .meta({ id: 'DataImpact' });

/** What another version of a template means for those who use it. */
export const templateImpact = z
  .object({
    template_id: id,
    version_id: id.nullable().describe('the version that was looked at; null for blocks'),
    current_version_id: id.nullable().describe('the live version that it was compared with'),
    inputs: z
      .object({
        required: z.array(z.string()).describe('paths that are required, and were not'),
        added: z.array(z.string()).describe('paths that are read, and were not'),
        gone: z.array(z.string()).describe('paths that are not read any more'),
        retyped: z
          .array(z.object({ path: z.string(), from: z.string(), to: z.string() }))
          .describe(
            'paths of another type: by how they are read, then by entity and sample data of the live version',
          ),
      })
      .describe('how what it reads differs from the live version'),
    data: z.array(dataImpact).describe('stored data, what breaks first'),
    summary: z.object({ same: z.int(), changed: z.int(), warning: z.int(), breaks: z.int() }),
    not_looked_at: z
      .array(
        z.object({
          what: z.enum([...impactSources, 'sends'] as const),
          count: z.int().nullable().describe('null where it is not known'),
          why: z.string(),
          required_scope: scopeSchema.optional().describe('that reads it, where the caller lacks it'),
        }),
      )
      .describe('data about which this says nothing'),
  })
  .meta({ id: 'TemplateImpact' });

/** See {@link templateImpact}. */
export type TemplateImpact = z.output<typeof templateImpact>;
