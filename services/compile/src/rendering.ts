import type { CallContext, Clock, Tenant } from '@stanza/runtime';
import { type Compiled, compileOrThrow, type Inputs, withDefaults } from './domain/compilation.ts';
import type { LiveVersion, TemplateRequest } from './live-versions.ts';
import type { Programs } from './programs.ts';

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
  programs: Pick<Programs, 'get'>;
  clock: Clock;
}

/** Makes the common path from a template's id to a message, for compile and for send. */
export const rendering =
  ({ liveVersion, programs, clock }: RenderDependencies): Render =>
  async (request) => {
    const { tenant } = request;
    const version = await liveVersion(request);
    const parsed = await programs.get({
      tenant,
      versionId: version.version_id,
      fallbackText: version.fallback_text,
    });
    const message = compileOrThrow(parsed, withDefaults(request, version), clock.now());
    return { version, message };
  };
