import { type Answer, evaluate, type Question, readSchema } from './evaluate.ts';

/** Runs the engine beside the page, so that no template can make the page wait. */
const answerTo = (question: Question): Answer =>
  question.wants === 'schema'
    ? { id: question.id, schema: readSchema() }
    : { id: question.id, evaluation: evaluate(question.given, new Date()) };

self.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  self.postMessage(answerTo(data));
});
