import type { CallContext, Clock, Tenant } from '@stanza/runtime';
import { type Compiled, compileOrThrow, type Inputs, withDefaults } from './domain/compilation.ts';
import type { LiveVersion, TemplateRequest } from './live-versions.ts';
import type { Programs } from './programs.ts';

/** A template to be compiled with data. */
export interface RenderRequest extends Inputs {
  tenant: Tenant;
  templateId: string;
  /** The moment whose live version is meant; now unless given. */
  liveAt?: string | undefined;
  context: CallContext;
}

/** The live version of a template, and the message that it makes of the data. */
export interface Rendered {
  version: LiveVersion;
  message: Compiled;
}

/** Compiles the live version of a template. */
export type Render = (request: RenderRequest) => Promise<Rendered>;

/** What rendering works with. */
export interface RenderDependencies {
  liveVersion: (request: TemplateRequest) => Promise<LiveVersion>;
  programs: Pick<Programs, 'get'>;
  clock: Clock;
}

/** Makes the one path from a template's id to a message, for compile and for send. */
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
