import { CodedError, type InputOf, renderInteraction as operation, problemsError } from '@stanza/contracts';
import { fillJson } from '@stanza/engine';
import { type Clock, handle, Tenant } from '@stanza/runtime';
import { compileOrThrow, parseSaved } from '../domain/compilation.ts';
import { problemsOfTemplate } from '../domain/pointers.ts';
import type { LiveVersion, TemplateRequest } from '../live-versions.ts';

/** The dependencies of rendering an interaction. */
export interface InteractionDependencies {
  liveVersion: (request: TemplateRequest) => Promise<LiveVersion>;
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

const fill = (
  { json }: InputOf<typeof operation>,
  data: Record<string, unknown>,
  options: Parameters<typeof fillJson>[2],
) => {
  const filled = fillJson(json, data, options);
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
    const saved = new Set(Object.keys(values));
    const options = {
      ...(await manner(dependencies, { tenant, templateId, context })),
      now: dependencies.clock.now(),
    };
    const json = input.json === undefined ? undefined : fill(input, data, { ...options, saved });
    const message =
      input.blocks && compileOrThrow(parseSaved(input.blocks, saved), { data, ...options }, options.now);
    return {
      ...(json && { json: json.json }),
      ...(message && {
        message: { blocks: message.blocks, text: message.text, metadata: message.metadata },
      }),
      warnings: [...(json?.warnings ?? []), ...(message?.warnings ?? [])],
    };
  });
