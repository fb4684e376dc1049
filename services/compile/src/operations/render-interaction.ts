import { CodedError, renderInteraction as operation, problemsError } from '@stanza/contracts';
import { type Clock, handle, Tenant } from '@stanza/runtime';
import { madeOrThrow, wantedBy } from '../domain/compilation.ts';
import { problemsOfTemplate } from '../domain/pointers.ts';
import type { LiveVersion, TemplateRequest } from '../rendering.ts';
import type { RunTask } from '../runs/runs.ts';
import { sourceOf } from '../runs/task.ts';
import { type JsonArguments, jsonTask, messageTask } from '../runs/tasks.ts';

/** The dependencies of rendering an interaction. */
export interface InteractionDependencies {
  liveVersion: (request: TemplateRequest) => Promise<LiveVersion>;
  run: RunTask;
  clock: Clock;
}

/** The template's formats of numbers and dates; a deleted template has none. */
const manner = async (dependencies: InteractionDependencies, request: TemplateRequest) => {
  try {
    const { locale, timezone } = await dependencies.liveVersion(request);
    return { locale: locale ?? undefined, timezone: timezone ?? undefined };
  } catch (err) {
    if (err instanceof CodedError && err.status < 500) return {};
    throw err;
  }
};

const fill = async (run: RunTask, args: JsonArguments) => {
  const filled = await run(jsonTask, args);
  if (filled.ok) return filled;
  const code = 'code' in filled ? filled.code : 'compilation_failed';
  throw problemsError(code, problemsOfTemplate(filled.problems));
};

/** Fills in an action of a sent message: values come from the message, facts from the interaction. */
export const renderInteraction = (dependencies: InteractionDependencies) =>
  handle(operation, async ({ input, context }) => {
    const { organization_id, environment, template_id: templateId, values, facts } = input;
    const tenant = new Tenant(organization_id, environment);
    const data = { ...values, interaction: facts };
    const saved = Object.keys(values);
    const { run, clock } = dependencies;
    const formats = await manner(dependencies, { tenant, templateId, context });
    const options = { ...formats, now: clock.now().getTime() };
    const { json: asked, blocks, people } = input;
    const json = asked === undefined ? undefined : await fill(run, { json: asked, data, options, saved });
    const source = blocks && { ...sourceOf(blocks, null), saved };
    const inputs = { data, ...options, people };
    const message = source && madeOrThrow(await run(messageTask, { source, inputs, now: options.now }));
    return {
      ...(json && { json: json.json }),
      ...(message && {
        message: { blocks: message.blocks, text: message.text, metadata: message.metadata },
      }),
      warnings: [...(json?.warnings ?? []), ...(message?.warnings ?? [])],
      ...(message && wantedBy(message)),
      ...formats,
    };
  });
