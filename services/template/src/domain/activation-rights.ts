import {
  type ActivationPolicy,
  authorOf,
  CodedError,
  isPersonDeciding,
  type Principal,
} from '@stanza/contracts';

/** Who asks to make something live. */
export type Decider = Pick<Principal, 'actor' | 'decides'>;

/** What is made live, or changed there. */
export type LiveChange = 'template' | 'partial' | 'modal' | 'archived' | 'promotion' | 'settings';

const another = 'let another person make it live';
const byPerson = 'let a person make it live in the console';
const promoted = 'promote without `activate`, and let';

/** What a refused caller may do: versions of templates alone are proposed, and none of what is archived. */
const ways: Readonly<Record<LiveChange, { byPerson: string; byAnother: string }>> = {
  template: {
    byPerson:
      'propose a version with POST /v1/templates/{id}/proposals, and let a person accept it in the console',
    byAnother: 'propose it with POST /v1/templates/{id}/proposals, and let another person accept it',
  },
  partial: { byPerson, byAnother: another },
  modal: { byPerson, byAnother: another },
  archived: {
    byPerson: 'let a person unarchive it in the console',
    byAnother: 'let another person unarchive it',
  },
  promotion: {
    byPerson: `${promoted} a person make the versions live`,
    byAnother: `${promoted} another person make the versions live`,
  },
  settings: { byPerson: 'let a person change it in the console', byAnother: another },
};

const refused = (message: string): CodedError => new CodedError('activation_refused', { message });

/**
 * What the policies of an organization let the caller of a request make live. Whatever makes a version live takes these
 * rights and asks them, so that no way to do so goes round the policy.
 */
export class ActivationRights {
  readonly #policy: ActivationPolicy;
  readonly #decider: Decider;
  readonly #change: LiveChange;
  /** Whether the organization asks to measure what an activation breaks. */
  readonly isGuarded: boolean;

  constructor(
    decider: Decider,
    policies: { activation: ActivationPolicy; guard_activation: boolean },
    change: LiveChange,
  ) {
    this.#decider = decider;
    this.#change = change;
    this.#policy = policies.activation;
    this.isGuarded = policies.guard_activation;
  }

  #isFree(): boolean {
    return this.#policy === 'anyone' || isPersonDeciding(this.#decider);
  }

  /**
   * Checks that the caller may change what is live at all.
   * @throws CodedError `activation_refused` for a key or an agent where people alone decide
   */
  needPerson(): void {
    if (this.#isFree()) return;
    throw refused(
      `The organization lets people change what is live, and no key or agent: ${ways[this.#change].byPerson}.`,
    );
  }

  /**
   * Checks that the caller may change settings of what is live, which readers see at once: user name, icon and fallback
   * text of a template, title, labels and steps of a modal.
   * @throws CodedError `activation_refused` where another person than the author makes content live
   */
  needFreeSettings(): void {
    this.needPerson();
    if (this.#policy !== 'another_person') return;
    throw refused(
      'The organization asks for another person than the author, and settings of what is live show at once: change those of a template or modal that is not live yet, such as a copy, and let somebody else make it live.',
    );
  }

  /**
   * Checks that the caller may decline what someone proposes: a key must not turn down what people are to decide.
   * @throws CodedError `activation_refused` for a key or an agent where people alone decide
   */
  needPersonToDecline(): void {
    if (this.#isFree()) return;
    throw refused(
      'The organization lets people decide on proposals, and no key or agent: decline it in the console. Whoever made the proposal may withdraw it.',
    );
  }

  /**
   * Checks that the caller may make a version live.
   * @param authors who wrote the version, and who proposes it
   * @throws CodedError `activation_refused`
   */
  need(authors: readonly string[]): void {
    this.needPerson();
    if (this.#policy !== 'another_person' || !authors.includes(authorOf(this.#decider.actor))) return;
    throw refused(
      `The organization asks for another person than the author of a version and the one who proposes it: ${ways[this.#change].byAnother}.`,
    );
  }
}

/**
 * Reads what a caller may make live now. What decides reads it in its transaction, with the rows locked: a policy that
 * was tightened, and a key or a role that was taken away since the request was let in, count. Without an answer nothing
 * is made live.
 */
export type ReadActivationRights = () => Promise<ActivationRights>;
