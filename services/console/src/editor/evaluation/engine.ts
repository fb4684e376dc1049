import type { Tables } from '../document/schema.ts';
import workerUrl from './engine-worker.ts?worker&url';
import type { Answer, Evaluated, Evaluation, Question } from './evaluate.ts';

/** Milliseconds after which a run is ended. The engine's budgets end a template long before. */
const maxMs = 1_000;
/** Milliseconds for the first answer, in which the worker is also loaded. */
const maxMsAtStart = 15_000;

/** A run that was ended. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
  constructor() {
    super(
      'This template takes more than a second with this data, so the preview has stopped it. Use `max_items` in its loops, or less data.',
    );
  }
}

interface Waiting {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The policy of the page lets workers be made of addresses of this policy alone. */
const policy = window.trustedTypes?.createPolicy('stanza-worker', {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('not a script of the console');
    return url;
  },
});

const startWorker = (): Worker =>
  new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' });

/** Asks the engine in a worker, one question after the other; a worker that takes too long is ended and replaced. */
class Engine {
  #worker: Worker | undefined;
  #isWarm = false;
  #count = 0;
  #current: Waiting | undefined;
  readonly #queue: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask(question: { wants: 'schema' } | { wants: 'run'; given: Evaluated }): Promise<Answer> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#queue.push({ question: { ...question, id }, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#current = next;
    this.#timer = setTimeout(() => this.#end(), this.#isWarm ? maxMs : maxMsAtStart);
    this.#started().postMessage(next.question);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.#answered(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(
        new Error(event.message === '' ? 'The preview could not be loaded. Reload the page.' : event.message),
      );
    });
    this.#worker = worker;
    return worker;
  }

  #answered(answer: Answer): void {
    if (answer.id !== this.#current?.question.id) return;
    clearTimeout(this.#timer);
    this.#isWarm = true;
    const { resolve } = this.#current;
    this.#current = undefined;
    resolve(answer);
    this.#next();
  }

  #end(): void {
    this.#fail(new RunEnded());
  }

  #fail(error: Error): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isWarm = false;
    const failed = this.#current;
    this.#current = undefined;
    failed?.reject(error);
    this.#next();
  }
}

const engine = new Engine();

/** Runs a template with data. @throws RunEnded after a second */
export const runInWorker = async (given: Evaluated): Promise<Evaluation> => {
  const answer = await engine.ask({ wants: 'run', given });
  if (!('evaluation' in answer)) throw new TypeError('the worker answered another question');
  return answer.evaluation;
};

/** The tables of the language. */
export const schemaOfWorker = async (): Promise<Tables> => {
  const answer = await engine.ask({ wants: 'schema' });
  if (!('schema' in answer)) throw new TypeError('the worker answered another question');
  return answer.schema;
};
