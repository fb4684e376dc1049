import { type ActivationPolicy, type Actor, authorOf, CodedError } from '@stanza/contracts';

const refused = (message: string): CodedError => new CodedError('activation_refused', { message });

/**
 * What the policies of an organization let the caller of a request make live. Whatever makes a version live takes these
 * rights and asks them, so that no way to do so goes round the policy.
 */
export class ActivationRights {
  readonly #policy: ActivationPolicy;
  readonly #actor: Actor;
  /** Whether the organization asks to measure what an activation breaks. */
  readonly isGuarded: boolean;

  constructor(actor: Actor, policies: { activation: ActivationPolicy; guard_activation: boolean }) {
    this.#actor = actor;
    this.#policy = policies.activation;
    this.isGuarded = policies.guard_activation;
  }

  #isFree(): boolean {
    return this.#policy === 'anyone' || this.#actor.type === 'session';
  }

  /**
   * Checks that the caller may change what is live at all.
   * @throws CodedError `activation_refused` for a key where people alone decide
   */
  needPerson(): void {
    if (this.#isFree()) return;
    throw refused(
      'The organization lets people change what is live, and no key: propose a version with POST /v1/templates/{id}/proposals, or use the session of a person.',
    );
  }

  /**
   * Checks that the caller may change the steps of an active modal, which show at once and are content as its blocks are.
   * @throws CodedError `activation_refused` where another person than the author makes content live
   */
  needFreeSteps(): void {
    this.needPerson();
    if (this.#policy !== 'another_person') return;
    throw refused(
      'The organization asks for another person than the author, and the steps of an active modal show at once: make another modal with POST /v1/modals, give it the steps while no version of it is active, and let somebody else activate its version.',
    );
  }

  /**
   * Checks that the caller may decline what somebody proposes: a key must not turn down what people are to decide.
   * @throws CodedError `activation_refused` for a key where people alone decide
   */
  needPersonToDecline(): void {
    if (this.#isFree()) return;
    throw refused(
      'The organization lets people decide on proposals, and no key: use the session of a person. Whoever made the proposal may withdraw it.',
    );
  }

  /**
   * Checks that the caller may make a version live.
   * @param authors who wrote the version, and who proposes it
   * @throws CodedError `activation_refused`
   */
  need(authors: readonly string[]): void {
    this.needPerson();
    if (this.#policy !== 'another_person' || !authors.includes(authorOf(this.#actor))) return;
    throw refused(
      'The organization asks for another person than the author of a version and the one who proposes it: propose it with POST /v1/templates/{id}/proposals, and let somebody else accept it.',
    );
  }
}
