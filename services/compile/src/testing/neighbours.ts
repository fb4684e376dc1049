import {
  type Block,
  CodedError,
  chargeCredits,
  getVersionContent,
  type InputOf,
  type Principal,
  type ReplyOf,
  resolveLiveVersions,
  scopesOfRole,
} from '@stanza/contracts';
import { type AnyHandler, type CallContext, handle, newContext, newId } from '@stanza/runtime';
import type { Defaults } from '../domain/compilation.ts';

/** A principal of a new organization. */
export const somebody = (): Principal => ({
  organization_id: newId(),
  environment: 'production',
  actor: { type: 'api_key', id: newId() },
  role: 'member',
  scopes: [...scopesOfRole('member')],
});

/** The context of a principal's request. */
export const contextOf = (principal: Principal, deadlineMs = 5_000): CallContext =>
  newContext({ deadlineMs, principal });

/** A live template in the template service. */
export interface LiveTemplate {
  id: string;
  versionId: string;
}

type Resolved = ReplyOf<typeof resolveLiveVersions>['versions'][number];
type Charge = InputOf<typeof chargeCredits>['charges'][number];
type Outcome = ReplyOf<typeof chargeCredits>['outcomes'][number];

/**
 * Stands in for the services that compiling calls: templates and credits in memory. Like the real ones it finds a
 * template only in its tenant, and charges an operation once.
 */
export class Neighbours {
  readonly charged = new Map<string, Outcome>();
  /** The refusal that the next charges get instead of taking a credit. */
  refusal: Outcome | Error | undefined;
  credits = 100;
  readonly #live = new Map<string, Resolved>();
  readonly #content = new Map<string, Block[]>();

  readonly handlers: AnyHandler[] = [
    handle(resolveLiveVersions, async ({ input }) => ({
      versions: input.templates.map(
        (it) =>
          this.#live.get(`${it.organization_id} ${it.environment} ${it.template_id}`) ?? {
            found: false as const,
            code: 'template_not_found' as const,
          },
      ),
    })),
    handle(getVersionContent, async ({ input }) => {
      const blocks = this.#content.get(`${input.organization_id} ${input.environment} ${input.version_id}`);
      if (!blocks) throw new CodedError('version_not_found');
      return { blocks };
    }),
    handle(chargeCredits, async ({ input }) => ({ outcomes: input.charges.map((it) => this.#charge(it)) })),
  ];

  /** Makes a version of a template live: of a new template, or of the given one. */
  activate(
    { organization_id, environment }: Principal,
    blocks: Block[],
    options: { id?: string; fallbackText?: string; defaults?: Partial<Defaults> } = {},
  ): LiveTemplate {
    const { id = newId(), fallbackText = null } = options;
    const versionId = newId();
    this.#content.set(`${organization_id} ${environment} ${versionId}`, blocks);
    this.#live.set(`${organization_id} ${environment} ${id}`, {
      found: true,
      template_name: 'Greeting',
      version_id: versionId,
      version_number: 1,
      user_name: 'Greeter',
      icon_emoji: ':wave:',
      fallback_text: fallbackText,
      locale: null,
      timezone: null,
      strict: false,
      ...options.defaults,
    });
    return { id, versionId };
  }

  /** Removes a template's live version, with a reason. */
  retire({ organization_id, environment }: Principal, code: 'version_not_found' | 'invalid_state'): string {
    const id = newId();
    this.#live.set(`${organization_id} ${environment} ${id}`, { found: false, code });
    return id;
  }

  #charge({ operation_id }: Charge): Outcome {
    if (this.refusal instanceof Error) throw this.refusal;
    if (this.refusal) return this.refusal;
    const known = this.charged.get(operation_id);
    if (known) return known;
    this.credits -= 1;
    const outcome = { charged: true as const, credit_log_id: newId(), remaining_credits: this.credits };
    this.charged.set(operation_id, outcome);
    return outcome;
  }
}

/** A message that reads one value. */
export const greeting: Block[] = [
  { type: 'section', id: 'hello', text: { type: 'mrkdwn', text: 'Hello {{name}}' } },
];
