import type { CallContext, Clock, Tenant } from '@stanza/runtime';
import { type Compiled, type Inputs, withDefaults } from './domain/compilation.ts';
import { madeOrThrow } from './domain/made-or-throw.ts';
import type { LiveVersion, TemplateRequest } from './live-versions.ts';
import type { RunTask } from './runs/runs.ts';
import { messageTask } from './runs/tasks.ts';
import type { VersionSources } from './version-sources.ts';

/** A template to compile with data. */
export interface RenderRequest extends Inputs {
  tenant: Tenant;
  templateId: string;
  /** The moment of the live version; now by default. */
  liveAt?: string | undefined;
  context: CallContext;
}

/** The live version of a template, and its message for the data. */
export interface Rendered {
  version: LiveVersion;
  message: Compiled;
}

/** Compiles the live version of a template. */
export type Render = (request: RenderRequest) => Promise<Rendered>;

/** The dependencies of rendering. */
export interface RenderDependencies {
  liveVersion: (request: TemplateRequest) => Promise<LiveVersion>;
  sources: Pick<VersionSources, 'get'>;
  run: RunTask;
  clock: Clock;
}

/** Makes the common path from a template's id to a message, for compile and for send. */
export const rendering =
  ({ liveVersion, sources, run, clock }: RenderDependencies): Render =>
  async (request) => {
    const { tenant } = request;
    const version = await liveVersion(request);
    const source = await sources.get({
      tenant,
      versionId: version.version_id,
      fallbackText: version.fallback_text,
    });
    const inputs = withDefaults(request, version);
    const message = madeOrThrow(await run(messageTask, { source, inputs, now: clock.now().getTime() }));
    return { version, message };
  };
