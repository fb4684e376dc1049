import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fetch, type RetryNote, Stanza, type ValidatedToken, version } from '@stanza/sdk';
import { findProject, type Project } from './files/project.ts';
import { notingLong } from './long-work.ts';
import { pacedFetch } from './pace.ts';
import { CommandProblem, Interrupted } from './problem.ts';
import type { Profile } from './profiles.ts';
import { type Style, styleOf } from './show/style.ts';
import { freshProfile, headersFor, isFresh } from './sign-in/fresh-profile.ts';
import type { Terminal } from './terminal.ts';

/** Options of every command. */
export interface CommonOptions {
  profile?: string;
  dir?: string;
  json?: boolean;
  yes?: boolean;
}

/** Milliseconds for a call in all: a write that waits for its rate may take a minute. */
const timeoutMs = 180_000;

/** What does not answer ends a command after some seconds: a pipeline stands still in the meantime. */
const maxRetries = 4;

const userAgent = `stanza-cli/${version} node/${process.versions.node}`;

/** What every command works with. */
export class Setting {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly #end: (code: number) => void;
  #stanza: Stanza | undefined;
  #requests = 0;
  #profile: Promise<Profile> | undefined;

  constructor(terminal: Terminal, options: CommonOptions, end: (code: number) => void) {
    this.terminal = terminal;
    this.options = options;
    this.#end = end;
  }

  /** Colours, or none. */
  get style(): Style {
    return styleOf(this.terminal.hasColours && !this.options.json);
  }

  /** Sets the exit code of the command. */
  end(code: number): void {
    this.#end(code);
  }

  /** Prints the result: as JSON where that was asked for, else for people. */
  show(result: unknown, text: () => string): void {
    const { out } = this.terminal;
    const shown = this.options.json ? JSON.stringify(result, null, 2) : text();
    if (shown) out(shown);
  }

  /** Where and as whom the command acts. */
  async profile(): Promise<Profile> {
    const known = await this.#profile;
    if (known && isFresh(known)) return known;
    this.#profile = freshProfile(this.terminal.env, this.options.profile);
    return this.#profile;
  }

  /**
   * A client that makes no request after an interrupt. The one under way has its answer, so that what it did is known.
   */
  client({ url, key }: Pick<Profile, 'url' | 'key'>, send: Fetch = fetch): Stanza {
    const { terminal } = this;
    const heed = () => {
      if (terminal.signal.aborted) throw new Interrupted();
    };
    // Listened for from now on, and no longer the end of the process.
    heed();
    const onRetry = ({ error, pauseMs }: RetryNote) => {
      heed();
      terminal.note(`${error.text}; trying again in ${(pauseMs / 1_000).toFixed(1)} s`);
    };
    const sleep = (milliseconds: number) =>
      delay(milliseconds, undefined, { signal: terminal.signal }).catch(heed);
    const headers = { 'user-agent': userAgent };
    return new Stanza(
      { url, key, timeoutMs, maxRetries, headers, onRequest: heed, onRetry, fetch: send },
      { now: () => performance.now(), random: Math.random, sleep },
    );
  }

  /** The API, at the pace that it asks for. */
  async stanza(): Promise<Stanza> {
    if (this.#stanza) return this.#stanza;
    const profile = await this.profile();
    // The token of a session may be another one by the time of the request.
    const authorized = async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(headersFor(await this.profile()))) headers.set(name, value);
      // The sign-in may have been renewed, and an interrupt may have come.
      if (this.terminal.signal.aborted) throw new Interrupted();
      this.#requests += 1;
      return fetch(url, { ...init, headers });
    };
    this.#stanza = this.client(profile, pacedFetch(authorized));
    return this.#stanza;
  }

  /** Does what makes thousands of requests where there are thousands of templates, and notes how far it is. */
  long<T>(doing: string, work: () => Promise<T>): Promise<T> {
    return notingLong(this.terminal.note, () => `${doing}: ${this.#requests} requests so far`, work);
  }

  /** The folder that the command works in, as a whole path. */
  get folder(): string {
    return resolve(this.terminal.folder, this.options.dir ?? '');
  }

  /** The folder of templates that the command works in. */
  project(): Promise<Project> {
    return findProject(this.folder);
  }

  /** Asks before production is changed; where there is no person, `--yes` has to say so. */
  async confirm(what: string, validated?: ValidatedToken): Promise<void> {
    if (this.options.yes) return;
    const { token, organization } = validated ?? (await (await this.stanza()).auth.validate());
    if (token.environment !== 'production') return;
    const { ask } = this.terminal;
    if (!ask)
      throw new CommandProblem(
        `${what} changes production of ${organization.name}.`,
        'Say --yes where no terminal can be asked.',
      );
    const answer = await ask(`${what} in production of ${organization.name}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim()))
      throw new CommandProblem('Nothing was changed.', 'Answer y to go on.');
  }
}
